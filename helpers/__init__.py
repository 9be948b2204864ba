"""The shared library of the course."""
