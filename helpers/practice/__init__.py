"""The offline stand-in for the Messages API."""
