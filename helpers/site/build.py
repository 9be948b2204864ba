"""Notebooks and Markdown to pages: nbconvert's plain template inside one page of our own."""

import functools
import html
import re
import shutil
from pathlib import Path
from string import Template

from .contents import Lesson, lessons

HERE = Path(__file__).parent
MARK = ".made-by-helpers.site"  # a folder that holds this file is ours to replace
REPLACED = re.compile(r"^## The lessons\n.*?(?=^## )", re.M | re.S)  # by a list with minutes
NO_ALT = "No description has been provided for this image"
LINK = re.compile(r'(?<=href=")(?!#|[a-z]+:)([^"#]+)(#[^"]*)?(?=")')
HEADING = re.compile(r'<h2 id="([^"]+)">(.*?)<a class="anchor-link"', re.S)
DOCUMENTS = {"README.md": "index.html", "INSTRUCTORS.md": "instructors.html"}


class SiteError(Exception):
    """The site cannot be built; the message is one sentence with the way out."""


def build(root: Path, folder: Path) -> list[Path]:
    """Build the website of the course at `root` into `folder`, which is made anew.

    The pages: index.html from README.md and the lessons' own titles and minutes, one for each
    notebook in notebooks/ with its saved outputs, instructors.html. SiteError if `folder` holds
    anything that was not made here.
    """
    _make_room(folder)
    course = lessons(root)
    pages = {}
    for at, lesson in enumerate(course):
        body = _notebook(lesson.path)
        around = [course[n] if 0 <= n < len(course) else None for n in (at - 1, at + 1)]
        body += _neighbours(*around)
        pages[lesson.page] = (lesson.title, body, lesson.page)
    for name, page in DOCUMENTS.items():
        if (root / name).exists():
            text = (root / name).read_text(encoding="utf-8")
            title = re.search(r"^# (.+)$", text, re.M)[1]
            pages[page] = (title, _document(text, course), page)
    for page, (title, body, current) in pages.items():
        body = LINK.sub(lambda link, page=page: _link(link, page, root, folder), body)
        (folder / page).write_text(_page(title, body, current, course, pages), encoding="utf-8")
    (folder / "style.css").write_text(_style(), encoding="utf-8")
    shutil.copytree(root / "docs", folder / "docs", dirs_exist_ok=True)
    return [folder / page for page in pages]


def _make_room(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        if not (folder / MARK).exists():
            raise SiteError(f"{folder} holds something else: name another folder with --output")
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()


def _notebook(path: Path) -> str:
    """The cells and outputs of a notebook as HTML; pictures with the words that belong to them."""
    import nbformat

    nb = nbformat.read(path, as_version=4)
    body, _ = _exporter().from_notebook_node(nb)
    words = iter([html.escape(text) for text in _pictures(nb)])
    return re.sub(re.escape(f'alt="{NO_ALT}"'), lambda _: f'alt="{next(words, "")}"', body)


@functools.cache  # its templates are compiled once
def _exporter():
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(template_name="basic")
    # cleaning what Pygments wrote, which is clean, would take a third of the time
    exporter.register_filter("clean_html", lambda code: code)
    return exporter


def _pictures(nb):
    """What each picture shows, in words, in the order of the page."""
    for cell in nb.cells:
        for out in cell.get("outputs", []):
            data = out.get("data", {})
            if "image/png" in data and "text/html" not in data:
                first = data.get("text/plain", "").strip().splitlines()[:1] or [""]
                yield re.sub(r"^\[\w+\] ", "", first[0])


def _document(text: str, course: list[Lesson]) -> str:
    """A Markdown file as HTML, with the list of lessons in its place."""
    from nbconvert.filters.markdown_mistune import markdown2html_mistune

    mark = "@@contents@@"
    body = markdown2html_mistune(REPLACED.sub(f"## The lessons\n\n{mark}\n\n", text))
    return f'<div class="rendered_html">{body.replace(f"<p>{mark}</p>", _contents(course))}</div>'


def _contents(course: list[Lesson]) -> str:
    rows = "".join(
        f'<li><a href="{each.page}"><span class="number">{each.number}</span>'
        f"<span><b>{html.escape(each.title)}</b><br>{_inline(each.lead)}</span>"
        f'<span class="minutes">{_minutes(each)}</span></a></li>'
        for each in course
    )
    total = sum(each.minutes or 0 for each in course)
    hours = f"<p>{total} minutes in all, {total / 60:.0f} hours; each lesson stands alone.</p>"
    return f'<ol class="contents">{rows}</ol>{hours}'


def _minutes(lesson: Lesson) -> str:
    return f"{lesson.minutes} min" if lesson.minutes else ""


def _inline(text: str) -> str:
    """One sentence of Markdown without its paragraph; code is all it may hold."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def _neighbours(before: Lesson | None, after: Lesson | None) -> str:
    parts = []
    for lesson, rel, arrow in ((before, "prev", "← {}"), (after, "next", "{} →")):
        if lesson:
            name = arrow.format(f"{lesson.number} · {html.escape(lesson.title)}")
            parts.append(f'<a rel="{rel}" href="{lesson.page}">{name}</a>')
    return f'<nav class="neighbours" aria-label="Previous and next lesson">{"".join(parts)}</nav>'


def _link(link: re.Match, page: str, root: Path, folder: Path) -> str:
    """Where a link of a document or notebook leads in the site; a file of the course is copied."""
    target, part = html.unescape(link[1]), link[2] or ""
    if target.endswith(".html") and "/" not in target:  # between two pages
        return link[0]
    source = ((root / "notebooks" if page not in DOCUMENTS.values() else root) / target).resolve()
    inside = source.is_relative_to(root.resolve())
    if not inside or not source.exists():
        raise SiteError(f"{page} links to {target}, which is not in the course")
    if source.suffix == ".ipynb" and source.parent.name == "notebooks":
        return f"{source.stem}.html{part}"
    if source.name in DOCUMENTS and source.parent == root.resolve():
        return DOCUMENTS[source.name] + part
    copy = folder / source.relative_to(root.resolve())
    if source.is_dir():  # shown as far as it can be: its names
        (copy := copy.with_name(copy.name + ".txt")).parent.mkdir(parents=True, exist_ok=True)
        names = sorted(
            path.name for path in source.iterdir() if not path.name.startswith(("_", "."))
        )
        copy.write_text("\n".join(names) + "\n", encoding="utf-8")
    else:
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
    return copy.relative_to(folder).as_posix() + part


def _page(title: str, body: str, current: str, course: list[Lesson], pages: dict) -> str:
    return Template((HERE / "page.html").read_text(encoding="utf-8")).substitute(
        title=html.escape(title), body=body, navigation=_navigation(body, current, course, pages)
    )


def _navigation(body: str, current: str, course: list[Lesson], pages: dict) -> str:
    items = [
        (lesson.page, f"<i>{lesson.number}</i> {html.escape(lesson.title)}") for lesson in course
    ]
    items.insert(0, ("index.html", "Overview"))
    items += [(p, "For who teaches it") for p in pages if p == DOCUMENTS["INSTRUCTORS.md"]]
    lines = []
    for page, name in items:
        here, inner = "", ""
        if page == current:
            here = ' aria-current="page"'
            found = HEADING.findall(body)
            inner = "".join(f'<li><a href="#{i}">{_plain(t)}</a></li>' for i, t in found)
            inner = f"<ul>{inner}</ul>" if inner else ""
        lines.append(f'<li><a href="{page}"{here}>{name}</a>{inner}</li>')
    return f"<ul>{''.join(lines)}</ul>"


def _plain(text: str) -> str:
    return re.sub(r"<[^>]+>", "", text)


def _style() -> str:
    """Our sheet, and Pygments' colours for code, light and dark."""
    from pygments.formatters import HtmlFormatter

    light, dark = (
        HtmlFormatter(style=style).get_style_defs([f"[data-theme={theme}] .highlight"])
        for style, theme in (("xcode", "light"), ("github-dark", "dark"))
    )
    return "\n".join([(HERE / "style.css").read_text(encoding="utf-8"), light, dark]) + "\n"
