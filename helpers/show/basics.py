"""How anything is put on the page: words always, a picture or widget where there can be one."""

import base64
import html
import io
import sys


def in_kernel() -> bool:
    """Whether a Jupyter kernel runs this (else: a terminal, a script or a plain test)."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return getattr(get_ipython(), "kernel", None) is not None


def clean(text) -> str:
    """`text` as it can be sent: half a surrogate pair becomes its escape."""
    return str(text).encode("utf-8", "backslashreplace").decode("utf-8")


def escape(text) -> str:
    """`text` for HTML. A dollar sign stands alone in a tag, or two would be read as a formula."""
    return html.escape(clean(text)).replace("$", "<span>$</span>")


def output(text: str, as_html: str | None = None, metadata=None, **more) -> None:
    """Show `text` (words, always) together with its HTML twin, and whatever else `more` holds.

    In a notebook: one output with several forms, of which the reader's page picks the richest.
    Elsewhere the text is printed; a console that lacks a character gets an escape instead.
    """
    text = clean(text)
    if in_kernel():
        from IPython.display import display

        bundle = {"text/plain": text, **more}
        if as_html is not None:
            bundle["text/html"] = as_html
        display(bundle, raw=True, metadata=metadata or {})
        return
    try:
        print(text)
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding or "ascii"
        print(text.encode(encoding, "backslashreplace").decode(encoding))


def png(fig) -> bytes:
    """The picture of a matplotlib figure: white behind it, the same bytes on every run."""
    from matplotlib.ticker import FuncFormatter, ScalarFormatter

    for ax in fig.axes:  # 39,000 rather than 39000 or 3.9e4
        for axis in (ax.xaxis, ax.yaxis):
            if type(axis.get_major_formatter()) is ScalarFormatter:
                axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    buffer = io.BytesIO()
    fig.savefig(
        buffer,
        format="png",
        dpi=100,
        bbox_inches="tight",
        facecolor="white",
        metadata={"Software": None},
    )
    if "matplotlib.pyplot" in sys.modules:  # or Jupyter would show it a second time
        sys.modules["matplotlib.pyplot"].close(fig)
    return buffer.getvalue()


def figure(fig, text: str, details: str = "") -> None:
    """Show `fig` with the caption `text`, which says what is to be seen, numbers included.

    The words are what a screen reader reads and what the tests compare. `details` (plain text,
    several lines) is the figure in full in words, folded under the caption.
    """
    words = f"[figure] {text}" + (f"\n{details}" if details else "")
    if not in_kernel():
        png(fig)
        output(words)
        return
    image = base64.b64encode(png(fig)).decode()
    output(words, metadata={"image/png": {"alt": clean(text)}}, **{"image/png": image})
    caption(text, f"<pre>{escape(details)}</pre>" if details else "")


def caption(text: str, details: str = "", summary: str = "The figure in words") -> None:
    """Show the caption of a figure, with `details` (HTML) folded under it."""
    as_html = f"<p><em>Figure: {escape(text)}</em></p>"
    if details:
        as_html += f"<details><summary>{escape(summary)}</summary>{details}</details>"
    output(f"Figure: {text}", as_html)


def live(
    widget, text: str, fig=None, html: str | None = None, *, picture: bytes = b"", alt: str = ""
) -> None:
    """Show a widget where a kernel runs; its twin, the picture `fig`, `html` or `text`, elsewhere.

    `text` says in words what the widget shows before anybody has touched it; under `fig` it stands
    as the caption. picture: a PNG in place of `fig`, with its description `alt`, without a caption.
    """
    words = f"[interactive] {text}"
    if not in_kernel():
        output(words)
        return
    more = {k: v for k, v in widget._repr_mimebundle_().items() if k != "text/plain"}
    if fig is not None:
        picture, alt = png(fig), text
    if picture:
        more["image/png"] = base64.b64encode(picture).decode()
    output(words, html, metadata={"image/png": {"alt": clean(alt)}} if alt else None, **more)
    if fig is not None:
        caption(f"before anything is moved: {text}.")
