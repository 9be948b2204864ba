"""Placeholder, filled below."""

EXERCISES = {}
