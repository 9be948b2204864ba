"""The website: it builds offline, every link leads somewhere, nothing is fetched or cut."""

import re
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from helpers import site
from helpers.site import __main__ as command
from tests.browser import chromium, shoot

ROOT = Path(__file__).parents[1]
LESSONS = site.lessons(ROOT)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    return folder, site.build(ROOT, folder)


@pytest.fixture(scope="module")
def pages(built):
    """Every page as a tree, by its name."""
    return {
        path.name: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for path in built[1]
    }


def test_there_is_a_page_for_everything(pages):
    assert set(pages) >= {lesson.page for lesson in LESSONS} | {"index.html", "instructors.html"}
    for lesson in LESSONS:
        assert lesson.lead and lesson.minutes, f"{lesson.path.name} does not say what or how long"
        assert pages[lesson.page].title.text.startswith(lesson.title)
        assert lesson.number == "lab" or re.match(rf"{lesson.number} ·", pages[lesson.page].h1.text)


def test_the_contents_say_the_minutes(pages):
    rows = pages["index.html"].select(".contents a")
    assert [row["href"] for row in rows] == [lesson.page for lesson in LESSONS]
    for row, lesson in zip(rows, LESSONS, strict=True):
        assert f"{lesson.minutes} min" in row.text and lesson.title in row.text


def test_previous_and_next_lead_through_the_course(pages):
    at, seen = LESSONS[0].page, [LESSONS[0].page]
    while following := pages[at].select_one(".neighbours a[rel=next]"):
        back = pages[following["href"]].select_one(".neighbours a[rel=prev]")
        assert back["href"] == at
        at = following["href"]
        seen.append(at)
    assert seen == [lesson.page for lesson in LESSONS]


def test_every_internal_link_leads_somewhere(built, pages):
    folder, followed = built[0], 0
    ids = {name: {tag["id"] for tag in page.select("[id]")} for name, page in pages.items()}
    for name, page in pages.items():
        for link in page.select("a[href]"):
            if re.match(r"https?:", link["href"]):
                continue
            target, _, part = link["href"].partition("#")
            assert (folder / unquote(target or name)).is_file(), f"{name}: {link['href']}"
            if part and (target or name) in pages:
                assert {part, unquote(part)} & ids[target or name], f"{name}: {link['href']}"
            followed += 1
    assert followed > 20 * len(pages)


def test_no_page_fetches_anything(built, pages):
    others = {
        path.relative_to(built[0]).as_posix(): BeautifulSoup(path.read_bytes(), "html.parser")
        for path in built[0].glob("*/*.html")
    }
    for name, page in (pages | others).items():
        for tag in page.select("[src], link[href]"):
            address = tag.get("src") or tag.get("href")
            inside = address.startswith("data:") or ((built[0] / name).parent / address).is_file()
            assert inside, f"{name} fetches {address}"
        for script in page.select("script, style"):
            assert not re.search(r"https?:|//\w", script.text), name
    assert not re.search(r"@import|url\(", (built[0] / "style.css").read_text(encoding="utf-8"))


def test_every_picture_has_words(pages):
    pictures = [(name, img) for name, page in pages.items() for img in page.select("img")]
    assert len(pictures) > len(LESSONS)
    for name, img in pictures:
        assert len(img["alt"].split()) >= 5 and "No description" not in img["alt"], name


def test_the_command_says_what_it_did_in_one_line(tmp_path, capsys):
    (tmp_path / "mine.txt").touch()
    assert command.main(["--output", str(tmp_path)]) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1 and "holds something else" in said[0]
    assert (tmp_path / "mine.txt").exists()


def test_a_second_build_replaces_the_first_and_nothing_else(built, tmp_path):
    folder, course = tmp_path / "_site", tmp_path / "course"
    (course / "notebooks").mkdir(parents=True)
    shutil.copytree(ROOT / "docs", course / "docs")
    shutil.copy(LESSONS[0].path, course / "notebooks")
    (course / "README.md").write_text("# A\n\n## The lessons\n\n## B\n", encoding="utf-8")
    linked = course / "notebooks" / LESSONS[0].path.name
    text = re.sub(
        r"\]\(0?[^)]*\.ipynb\)|\]\(\.\./[^)]*\)", "](../README.md)", linked.read_text("utf-8")
    )
    linked.write_text(text, encoding="utf-8")
    site.build(course, folder)
    (folder / "old.html").touch()
    site.build(course, folder)
    assert not (folder / "old.html").exists() and (folder / "index.html").exists()
    with pytest.raises(site.SiteError, match="holds something else"):
        site.build(course, course)
    assert linked.exists()
    linked.write_text(text.replace("](../README.md)", "](../gone.md)"), encoding="utf-8")
    with pytest.raises(site.SiteError, match=r"links to \.\./gone\.md"):
        site.build(course, folder)


# ---------------------------------------------------------------- in a browser

TOO_WIDE = """() => {
  document.querySelectorAll('details').forEach(box => { box.open = true; });
  const found = [], page = document.documentElement;
  const scrolls = e => ['auto', 'scroll'].includes(getComputedStyle(e).overflowX);
  const name = e => e.tagName + '.' + e.className + ': ' + e.textContent.trim().slice(0, 80);
  if (page.scrollWidth > innerWidth) found.push('the page itself');
  for (const e of document.querySelectorAll('main *')) {
    if (e.getBoundingClientRect().right <= innerWidth + 1) continue;
    let box = e.parentElement;
    while (box && !scrolls(box)) box = box.parentElement;
    if (!box || box.getBoundingClientRect().right > innerWidth + 1) found.push(name(e));
  }
  return found;
}"""
CUT = """() => [...document.querySelectorAll('main table')].filter(table => {
  let box = table;
  while (box && !['auto', 'scroll'].includes(getComputedStyle(box).overflowX)) box = box.parentElement;
  return box && box.scrollWidth > box.clientWidth + 1;
}).map(table => table.textContent.slice(0, 80))"""
EMPTY = """() => [...document.querySelectorAll('.output_area')].filter(
  area => !area.innerText.trim() && ![...area.querySelectorAll('img')].some(i => i.naturalWidth > 99)
).length"""
CONTRAST = """() => {
  const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(v => v / 255).map(
    v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b; };
  const back = e => { while (e) { const c = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)$/.test(c)) return c; e = e.parentElement; } return 'rgb(255, 255, 255)'; };
  const found = [];
  for (const e of document.querySelectorAll('main *, nav *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.offsetParent) continue;
    const style = getComputedStyle(e);
    if (style.visibility === 'hidden') continue;
    const [a, b] = [light(style.color), light(back(e))].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${e.tagName}.${e.className}: ${e.textContent.slice(0, 40)}`);
  }
  return found;
}"""


@pytest.mark.parametrize("width, colours", [(1000, "light"), (390, "dark")])
def test_nothing_is_cut_fetched_empty_or_faint(built, width, colours):
    """On a screen and on a phone, where a wide output may scroll in its own box."""
    fetched = []
    with chromium(width, 1200, color_scheme=colours) as browser:
        page = browser.new_page()
        page.on("request", lambda request: fetched.append(request.url))
        for path in built[1]:
            page.goto(path.as_uri())
            assert not page.evaluate(TOO_WIDE), path.name
            assert width < 1000 or not page.evaluate(CUT), path.name
            assert not page.evaluate(EMPTY), path.name
            assert not page.evaluate(CONTRAST), path.name
            if path.name[:2] in ("in", "01", "11"):
                page.evaluate(
                    "document.querySelectorAll('details').forEach(box => box.open = false)"
                )
                shoot(page, f"site-{path.stem}-{width}")
    assert all(url.startswith(("file:", "data:")) for url in fetched), fetched
