"""Progress of a long loop: a moving bar for who waits, one line for who reads."""

import sys
import time

from . import basics

PATIENCE = 0.5  # seconds before a bar appears; a short loop has none
STEP = 0.1  # seconds between two updates


def progress(iterable, text: str, total: int | None = None):
    """Yield the items of `iterable`; show how far it is, and end with one line.

    The bar appears in a live notebook (and, as a line that is written over, in a terminal) when the
    loop takes longer than half a second, and goes when it is done. What stays is the same on every
    run and for every length: `[progress] text: 40 of 40`. A loop that is left early says nothing.
    """
    if total is None and hasattr(iterable, "__len__"):
        total = len(iterable)
    done, watch = 0, _Watch(text, total)
    try:
        for item in iterable:
            yield item
            done += 1
            watch.at(done)
    finally:
        watch.close()
    basics.output(f"[progress] {text}: {_count(done, total)}")


def steps(text: str):
    """A function for `run_case(progress=...)`: shows at which step a run is, as `progress` does.

    The line at the end comes when the run is done or pauses: `[progress] text: 33 steps`.
    """
    watch = _Watch(text, None)

    def step(run, what: str) -> None:
        watch.at(run.step)
        if run.done or run.pending:
            watch.close()
            basics.output(f"[progress] {text}: {run.step:,} steps")

    return step


class _Watch:
    """Shows how far it is once that has taken a while."""

    def __init__(self, text, total):
        self.text, self.total = text, total
        self.start, self.bar, self.shown = time.monotonic(), None, 0.0

    def at(self, done):
        now = time.monotonic()
        if self.bar is None and now - self.start > PATIENCE:
            self.bar = (_Bar if basics.in_kernel() else _Line)(self.text, self.total)
        if self.bar is not None and now - self.shown > STEP:
            self.bar.update(done)
            self.shown = now

    def close(self):
        if self.bar is not None:
            self.bar.close()
            self.bar = None


def _count(done, total):
    return f"{done:,} of {total:,}" if total is not None else f"{done:,} done"


class _Bar:
    """A widget; its output holds nothing else, so that nothing of it is kept when saved."""

    def __init__(self, text, total):
        import ipywidgets as widgets
        from IPython.display import display

        self.total = total
        self.bar = widgets.IntProgress(max=total or 1, layout=widgets.Layout(width="240px"))
        self.label = widgets.HTML()
        self.box = widgets.HBox([widgets.HTML(basics.escape(text)), self.bar, self.label])
        bundle = self.box._repr_mimebundle_()
        display({k: v for k, v in bundle.items() if k != "text/plain"}, raw=True)

    def update(self, done):
        self.label.value = _count(done, self.total)
        if self.total:
            self.bar.value = done

    def close(self):
        self.box.layout.display = "none"


class _Line:
    """One line of a terminal, written over."""

    def __init__(self, text, total):
        self.text, self.total, self.width = text, total, 0
        self.on = sys.stderr is not None and sys.stderr.isatty()

    def update(self, done):
        if self.on:
            line = ascii(f"{self.text}: {_count(done, self.total)}")[1:-1]
            self.width = max(self.width, len(line))
            print("\r" + line.ljust(self.width), end="", file=sys.stderr, flush=True)

    def close(self):
        if self.on and self.width:
            print("\r" + " " * self.width + "\r", end="", file=sys.stderr, flush=True)
