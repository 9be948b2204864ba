"""Small tables: aligned text, and the same as HTML."""

import re
import unicodedata

from .basics import escape, output

_NUMBER = re.compile(r"[-+−]?\$?\d[\d,.]*(?: ?[%×])?|[–-]?")


def table(rows, header=(), title: str = "") -> None:
    """Show `rows` (sequences of cells) under `header`; columns of numbers stand to the right.

    Whole numbers get thousands separators; a float is shown with two decimals (format it yourself
    for anything else, such as "$0.0012"); None is a dash, a bool yes or no. Short rows are filled.
    """
    output(*rendered(rows, header, title))


def rendered(rows, header=(), title: str = "") -> tuple[str, str]:
    """A table as text and as HTML, as `table` shows it."""
    head = [str(cell) for cell in header]
    body = [[_cell(cell) for cell in row] for row in rows]
    width = max([len(head), *map(len, body)], default=0)
    lines = [row + [""] * (width - len(row)) for row in ([head] if head else []) + body]
    columns = list(zip(*lines, strict=True))
    first = 1 if head else 0
    right = [any(c[first:]) and all(_NUMBER.fullmatch(cell) for cell in c[first:]) for c in columns]
    widths = [max(map(_width, column)) for column in columns]
    text = [title] if title else []
    for n, line in enumerate(lines):
        cells = [
            " " * (w - _width(cell)) + cell if r else cell + " " * (w - _width(cell))
            for cell, w, r in zip(line, widths, right, strict=True)
        ]
        text.append("  ".join(cells).rstrip())
        if head and n == 0:
            text.append("  ".join("-" * w for w in widths))
    return "\n".join(text), _as_html(title, head, lines[first:], right)


def _cell(value) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.2f}"
    return " ".join(str(value).split())


def _width(text) -> int:
    """Columns that `text` takes in a fixed-width font."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _as_html(title, head, body, right) -> str:
    def row(cells, tag):
        style = [' style="text-align:right"' if r else ' style="text-align:left"' for r in right]
        return "".join(f"<{tag}{s}>{escape(c)}</{tag}>" for s, c in zip(style, cells, strict=True))

    padded = head + [""] * (len(right) - len(head))
    parts = ["<table>"]
    if title:
        parts.append(f"<caption>{escape(title)}</caption>")
    if head:
        parts.append(f"<thead><tr>{row(padded, 'th')}</tr></thead>")
    parts.append("<tbody>" + "".join(f"<tr>{row(r, 'td')}</tr>" for r in body) + "</tbody></table>")
    return "".join(parts)
