"""The context view where a kernel runs: the picture, and every block to be chosen and read."""

from .basics import escape
from .cached import percent
from .parts import Part
from .picking import step_buttons

ROWS = 8  # blocks that a list shows at once
# the colours of the reader's own page, light or dark; the newest words are read to who cannot see
_BOX = (
    "border:1px solid;padding:4px 8px;margin:2px 0;max-height:240px;overflow:auto;"
    "white-space:pre-wrap;overflow-wrap:anywhere;word-break:normal;line-height:1.35"
)


def widget(bars: list[list[Part]], names: list[str], picture: bytes):
    """Picture, and for each request a list of its blocks with the text of the chosen one below.

    Everything can be reached and used by keyboard. With two requests that were compared, choosing a block
    also chooses the same one in the other.
    """
    import ipywidgets as widgets

    columns = [_column(widgets, *of) for of in zip(names, bars, strict=True)]
    if len(bars) == 2:
        lists = [column.children[1] for column in columns]
        for here, there, bar in ((lists[0], lists[1], bars[0]), (lists[1], lists[0], bars[1])):
            here.observe(_choose_twin(bar, there), "index")
    image = widgets.Image(value=picture, format="png", layout=widgets.Layout(width="650px"))
    image.layout.max_width = "100%"
    row = widgets.Layout(display="flex", flex_flow="row wrap", width="100%")
    return widgets.VBox([image, widgets.Box(columns, layout=row)])


def _column(widgets, name: str, parts: list[Part]):
    """Name of the request, list of its blocks, what is chosen, and its text."""
    total = sum(part.tokens for part in parts)
    first = next((n for n, part in enumerate(parts) if part.change), 0)
    chosen = widgets.Select(
        options=[(_label(n, part), n) for n, part in enumerate(parts)],
        index=first if parts else None,
        rows=min(max(len(parts), 2), ROWS),
        description="blocks",
        tooltip=f"Blocks of {name}",
        style={"description_width": "4em"},
        layout=widgets.Layout(width="98%"),
    )
    said, text = widgets.HTML(), widgets.HTML()

    def show(*_) -> None:
        if chosen.index is not None:
            part = parts[chosen.index]
            said.value = f"<p role='status' style='margin:0'>{escape(_status(part, total))}</p>"
            text.value = _page(part, name)

    chosen.observe(show, "index")
    show()
    heading = widgets.HTML(f"<b>{escape(name)}</b>: choose a block to read it")
    buttons = widgets.HBox(step_buttons(chosen, "block"))
    return widgets.VBox(
        [heading, chosen, buttons, said, text],
        layout=widgets.Layout(flex="1 1 320px", min_width="280px"),
    )


def _choose_twin(bar: list[Part], other):
    """What a list does when a block is chosen in it: the other shows the same block."""

    def choose(change) -> None:
        index = change["new"]
        if index is not None and bar[index].twin is not None:
            other.index = bar[index].twin

    return choose


def _label(n: int, part: Part) -> str:
    """One line of the list: number, what became of it, kind, tokens, cache, beginning."""
    marks = [part.change] if part.change else []
    if part.cached and part.cached == part.tokens:
        marks.append("from cache")
    mark = f" [{', '.join(marks)}]" if marks else ""
    return f"{n + 1}{mark} {part.kind}, {part.tokens:,}: {part.begins}"


def _status(part: Part, total: int) -> str:
    said = f"{part.kind} ({part.place}): {part.tokens:,} tokens, {percent(part.tokens, total)}"
    if part.cached is not None:
        said += f", {percent(part.cached, part.tokens)} of them read from the cache"
    return f"{said}; {part.change}" if part.change else said


def _page(part: Part, name: str) -> str:
    label = escape(f"Text of the chosen block of {name}").replace('"', "")
    return (
        f"<pre style='{_BOX}' tabindex='0' role='region' aria-label=\"{label}\">"
        f"{escape(part.text)}</pre>"
    )
