"""Figures, tables and widgets that read well with and without a kernel.

Whatever is shown has words beside it, and the words carry the numbers: they are what a terminal, a
screen reader and the tests see. matplotlib and ipywidgets are imported only when they are needed.
"""

from .bars import progress, steps
from .basics import escape, figure, live, output
from .chatbox import ChatBox, chat
from .context import context_view
from .costs import cost_explorer
from .look import COLOURS, axes, style
from .memories import MemoryInspector, memory_inspector
from .parts import context_parts
from .stepper import trimming_stepper
from .tables import table

__all__ = [
    "COLOURS",
    "ChatBox",
    "MemoryInspector",
    "axes",
    "chat",
    "context_parts",
    "context_view",
    "cost_explorer",
    "escape",
    "figure",
    "live",
    "memory_inspector",
    "output",
    "progress",
    "steps",
    "style",
    "table",
    "trimming_stepper",
]
