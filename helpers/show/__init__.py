"""Figures, tables and widgets that read well with and without a kernel."""

from .basics import figure, live, output

__all__ = ["figure", "live", "output"]
