"""Filling a JSON schema from what a request carries: nothing is put in that does not stand there."""
