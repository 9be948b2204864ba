"""The house: who imports whom, what is named where, and what may stand in no file."""

import ast
import functools
import importlib.metadata
import importlib.util
import io
import json
import re
import runpy
import subprocess
import sys
import tokenize
from collections import defaultdict
from pathlib import Path

import pytest

from helpers import models

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SOURCES = sorted(
    p
    for p in [*ROOT.glob("*.py"), *ROOT.glob("helpers/**/*.py"), *ROOT.glob("tests/**/*.py")]
    if "__pycache__" not in p.parts
)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@functools.cache
def cells(path: Path) -> list[tuple[str, str]]:
    """Kind and text of each cell of a notebook, as it is written, outputs aside."""
    found = json.loads(read(path))["cells"]
    return [(cell["cell_type"], "".join(cell["source"])) for cell in found]


@functools.cache
def trees() -> list[tuple[str, ast.AST]]:
    """Every piece of Python there is, by the name of its file."""
    found = [(name(p), ast.parse(read(p))) for p in SOURCES]
    for path in NOTEBOOKS:
        code = [text for kind, text in cells(path) if kind == "code"]
        plain = re.sub(r"^\s*[%!].*$", "pass", "\n".join(code), flags=re.MULTILINE)
        found.append((name(path), ast.parse(plain)))
    return found


# ---------------------------------------------------------------- what is imported


def requirements() -> set[str]:
    lines = [line.split("#")[0].strip() for line in read(ROOT / "requirements.txt").splitlines()]
    return {normal(re.match(r"[\w.-]+", line).group()) for line in lines if line}


def normal(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


# They are not named by themselves because the package that is named cannot be without them.
COMES_WITH = {
    "typing-extensions": "pydantic",
    "jupyter-client": "nbclient",
    "packaging": "ipykernel",
    "numpy": "matplotlib",
    "pillow": "matplotlib",
    "jsonschema": "nbformat",
    "beautifulsoup4": "nbconvert",
    "pygments": "nbconvert",
}


def test_every_import_is_ours_or_in_the_requirements():
    named = requirements()
    for part, whole in COMES_WITH.items():
        needs = {
            normal(re.match(r"[\w.-]+", r).group()) for r in importlib.metadata.requires(whole)
        }
        assert whole in named and part in needs
        named.add(part)
    sold_as = importlib.metadata.packages_distributions()
    for file, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                tops = {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                tops = {node.module.split(".")[0]}
            else:
                continue
            for top in tops - sys.stdlib_module_names - {"helpers", "tests", "_socket"}:
                if (ROOT / file).with_name(f"{top}.py").exists():
                    continue
                assert {normal(d) for d in sold_as.get(top, [])} & named, (
                    f"{file} imports {top}, which requirements.txt does not name"
                )


HEAVY = ("anthropic", "pymongo", "matplotlib", "ipywidgets", "IPython", "nbclient", "nbformat")


def test_helpers_import_heavy_packages_only_when_they_are_used():
    program = (
        "import sys, pkgutil, importlib, helpers\n"
        "for m in pkgutil.walk_packages(helpers.__path__, 'helpers.'):\n"
        "    if '.offline' not in m.name: importlib.import_module(m.name)\n"
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


# ---------------------------------------------------------------- floors

FLOORS = [  # design.md, section 1, and the parts into which a module was divided
    {"models", "messages", "shapes", "caching", "files"},
    {"practice", "cost", "middleware"},
    {
        "backend_errors",
        "backends",
        "database",
        "database_keeper",
        "database_lease",
        "keeping",
        "local",
        "servers",
        "database_calls",
        "runs",
    },
    {
        "trimming",
        "summaries",
        "editing",
        "compaction",
        "sessions",
        "long_term",
        "guards",
        "notes",
        "elsewhere",
    },
    {"scout", "cartwise"},
    {
        "show",
        "exercises",
        "rebuild",
        "environment",
        "quiz",
        "interview",
        "lab",
        "workshop",
        "site",
        "minutes",
    },
]
FLOOR = {module: n for n, modules in enumerate(FLOORS) for module in modules}


def helper_imports():
    """(file, module of helpers, module of helpers that it imports)."""
    for path in sorted((ROOT / "helpers").rglob("*.py")):
        inside = path.relative_to(ROOT / "helpers").with_suffix("").parts
        if inside[0] in ("__init__", "offline"):
            continue
        package = ("helpers", *inside[:-1])  # of the file, whether it is __init__ or not
        for node in ast.walk(ast.parse(read(path))):
            if isinstance(node, ast.Import):
                targets = [alias.name.split(".") for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                start = package[: len(package) + 1 - node.level] if node.level else ()
                base = [*start, *(node.module.split(".") if node.module else ())]
                targets = [[*base, alias.name] for alias in node.names]
            else:
                continue
            for target in targets:
                if target[0] == "helpers" and len(target) > 1 and target[1] != inside[0]:
                    yield name(path), inside[0], target[1]


def test_helpers_import_downstairs_only_and_nothing_private():
    for file, module, target in helper_imports():
        assert module in FLOOR, f"say on which floor {file} stands"
        assert target in FLOOR, f"say on which floor helpers/{target} stands"
        assert FLOOR[target] <= FLOOR[module], f"{file} imports {target} from a higher floor"
        if module == "practice":
            assert FLOOR[target] == 0, f"{file} imports {target}: practice/ knows floor 0 only"


def test_nobody_imports_a_private_name():
    for file, tree in trees():
        if not file.startswith("helpers/"):
            continue  # a test may look inside
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.level or "helpers" in str(node.module)):
                private = [a.name for a in node.names if re.match("_[^_]", a.name)]
                assert not private, f"{file} takes {private} from {node.module}"


def test_helpers_do_not_reach_into_each_other():
    for path in sorted((ROOT / "helpers").rglob("*.py")):
        tree = ast.parse(read(path))
        ours = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (
                node.level or (node.module or "").startswith("helpers")
            ):
                ours |= {alias.asname or alias.name for alias in node.names}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                private = node.attr.startswith("_") and not node.attr.startswith("__")
                assert not (node.value.id in ours and private), (
                    f"{name(path)}:{node.lineno} reads {node.value.id}.{node.attr}"
                )


def test_helpers_import_in_no_circle():
    graph = defaultdict(set)
    for _, module, target in helper_imports():
        graph[module].add(target)
    done = set()

    def visit(module, above):
        assert module not in above, f"a circle of imports: {[*above, module]}"
        if module not in done:
            for target in graph[module]:
                visit(target, [*above, module])
            done.add(module)

    for module in list(graph):
        visit(module, [])


# ---------------------------------------------------------------- models

MODEL_ID = re.compile(r"claude-(?:[a-z]+-)*\d")


def test_only_models_py_names_a_model():
    texts = [(name(p), read(p)) for p in [*SOURCES, ROOT / "README.md"] if p.exists()]
    texts += [(name(p), text) for p in NOTEBOOKS for _, text in cells(p)]
    for file, text in texts:
        if file != "helpers/models.py":
            assert not MODEL_ID.findall(text), f"{file} names a model; take it from models.py"


def test_no_model_in_use_is_deprecated():
    # read from the file: importing the SDK takes longer than the rest of this module
    folder = Path(importlib.util.find_spec("anthropic").origin).parent
    deprecated = runpy.run_path(str(folder / "_data" / "deprecated_models.py"))["DEPRECATED_MODELS"]
    assert deprecated and not set(models.MODELS) & set(deprecated)


# ---------------------------------------------------------------- files and paths

NOT_FILES = {"webbrowser", "os", "tarfile", "zipfile", "Image"}  # their `open` takes no encoding


def without_encoding(tree):
    """Line and call of everything that opens a text without saying how it is written."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        word = getattr(called, "attr", getattr(called, "id", ""))
        given = {k.arg: k.value for k in node.keywords}
        if "encoding" in given or None in given:
            continue
        owner = called.value.id if isinstance(getattr(called, "value", None), ast.Name) else ""
        if word in ("open", "fdopen") and owner not in NOT_FILES - {"os" * (word == "fdopen")}:
            place = 1 if isinstance(called, ast.Name) or word == "fdopen" else 0  # path.open(mode)
            mode = given.get("mode", node.args[place] if len(node.args) > place else None)
            if "b" not in str(getattr(mode, "value", "")):
                yield node.lineno, f"{word}()"
        elif word == "read_text" and not node.args or word == "write_text" and len(node.args) < 2:
            yield node.lineno, f"{word}()"
        elif any(getattr(given.get(k), "value", False) for k in ("text", "universal_newlines")):
            if owner == "subprocess" or word in ("Popen", "run", "check_output"):
                yield node.lineno, f"{word}(text=True)"


def test_every_text_is_opened_with_its_encoding():
    found = [f"{file}:{n} {what}" for file, tree in trees() for n, what in without_encoding(tree)]
    assert not found


@pytest.mark.parametrize(
    "code, wrong",
    [
        ("open('a')", 1),
        ("open('a', 'rb')", 0),
        ("open('a', mode='wb')", 0),
        ("open('b')", 1),
        ("open('a', encoding='utf-8')", 0),
        ("p.open()", 1),
        ("p.open('rb')", 0),
        ("p.read_text()", 1),
        ("p.read_text('utf-8')", 0),
        ("p.write_text('x')", 1),
        ("p.write_text('x', encoding='utf-8')", 0),
        ("webbrowser.open('http://x')", 0),
        ("os.open('a', 0)", 0),
        ("subprocess.run(['a'], text=True)", 1),
        ("subprocess.run(['a'], text=True, encoding='utf-8')", 0),
        ("subprocess.run(['a'], capture_output=True)", 0),
    ],
)
def test_the_check_of_encodings_itself(code, wrong):
    assert len(list(without_encoding(ast.parse(code)))) == wrong


MACHINE = re.compile(r"/home/\w|/Users/\w|/root/|/work/|/var/folders|[A-Z]:\\+Users\\+\w")
# these look for such paths themselves
ABOUT_PATHS = {"tests/test_structure.py", "tests/test_notebooks.py", "tests/test_rebuild.py"}


def test_no_path_of_one_machine():
    texts = [(name(p), read(p)) for p in SOURCES if name(p) not in ABOUT_PATHS]
    texts += [(name(p), read(p)) for p in [*NOTEBOOKS, *ROOT.glob("*.md"), *ROOT.glob("*.t*ml")]]
    for file, text in texts:
        assert not MACHINE.findall(text), file


def test_relative_links_resolve():
    texts = [(p, read(p)) for p in [*ROOT.glob("*.md"), *ROOT.glob("data/**/*.md")]]
    texts += [(p, text) for p in NOTEBOOKS for kind, text in cells(p) if kind == "markdown"]
    for path, text in texts:
        outside_code = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)[^)]*\)|(?:src|href)=\"([^\"]+)\"", outside_code):
            link = (target[0] or target[1]).split("#")[0]
            if link and not re.match(r"[a-z]+:", link):
                assert (path.parent / link.replace("%20", " ")).exists(), f"{name(path)}: {link}"


def test_ruff_is_content():
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "."]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr


# ---------------------------------------------------------------- the practice model knows nothing

# a name of the API is one word, of a field or of a beta ("name-2026-01-31")
WORD = re.compile(r"[a-z][a-z_'’-]+(?:\d{4}-\d\d-\d\d)?|\d+", re.IGNORECASE)
# A run of four counts when at least two of its words are none of these: the small words, and
# what every text about a language model says.
COMMON = set(
    """a about above add after again all also an and any are as at be because been before below
    between but by call calls can cannot come comes content could count counts data day did do does
    each end ends every first for from get gets give given gives go has have here how if in into is
    it its itself just keep kind last later least less long look made make many may means message
    messages model models more most much must need never new next no not nothing now of on once one
    only or other our out over own part parts place read reads reply request requests said same say
    says see second send sent set she should so some state stated such system take takes text texts
    than that the their them then there these they thing things this those three time to token
    tokens too tool tools turn turns two under until up us use used user was way we were what when
    where whether which while who whole why will with word words would yet you your""".split()
)


def runs(text: str) -> set[tuple[str, ...]]:
    """The runs of four words in `text` that could give it away; a run ends with its sentence."""
    found = set()
    for sentence in re.split(r"[.!?;:|\n\"`()\[\]{}<>]+", text):
        words = [w.lower() for w in WORD.findall(sentence)]
        for n in range(len(words) - 3):
            if sum(w not in COMMON for w in words[n : n + 4]) >= 2:
                found.add(tuple(words[n : n + 4]))
    return found


def test_runs_of_words():
    assert ("nori", "bar", "is", "quiet") in runs("Nori Bar is quiet. And so on.")
    assert not runs("this is one of the") and not runs("Nori Bar. Is quiet")


def practice_texts() -> dict[str, str]:
    return spoken("practice")


def spoken(package: str) -> dict[str, str]:
    """Strings and comments of a package of helpers, by file: what could hold an answer."""
    found = {}
    for path in sorted((ROOT / "helpers" / package).rglob("*.py")):
        said = []
        for token in tokenize.generate_tokens(io.StringIO(read(path)).readline):
            if token.type in (tokenize.COMMENT, tokenize.STRING) or "FSTRING_MIDDLE" in str(
                tokenize.tok_name[token.type]
            ):
                said.append(token.string)
        found[name(path)] = "\n".join(said)
    return found


def data_texts(*, names: bool) -> dict[str, str]:
    """The files of data/, by name, but for the guide, which the practice model may read, and the
    recorded replies of the lab.

    For names also without tokens.csv, texts of all kinds to count, without the attacks, which
    are in many languages: a capital there makes no name, and without the quiz and the interview,
    which speak of Claude as a lesson does. All of these are nobody's story.
    """
    found = {}
    for path in sorted((ROOT / "data").rglob("*")):
        guide = path == ROOT / "data" / "scout" / "guide.json"
        unnamed = path.name in ("tokens.csv", "quiz.json")
        unnamed |= path.parent.name in ("attacks", "interview")
        # what a real model replied, and the plain questions it was asked, in another model's words
        replies = path.parent.name == "lab" and path.name != "texts.json"
        skip = guide or replies or (names and unnamed)
        if path.is_file() and not skip:
            found[name(path)] = path.read_bytes().decode("utf-8", "ignore")
    return found


def lesson_texts() -> dict[str, str]:
    """What the notebooks say: Markdown and the strings in code."""
    found = {}
    for path in NOTEBOOKS:
        said = [text for kind, text in cells(path) if kind == "markdown"]
        tree = dict(trees())[name(path)]
        said += [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        found[name(path)] = "\n".join(said)
    return found


def test_no_run_of_four_words_from_data_or_lessons_in_the_practice_model():
    practice = {file: runs(text) for file, text in practice_texts().items()}
    for source, text in (data_texts(names=False) | lesson_texts()).items():
        known = runs(text)
        for file, said in practice.items():
            shared = sorted(" ".join(run) for run in known & said)
            assert not shared, f"{file} and {source} both say: {shared[:5]}"


def test_no_run_of_four_words_from_the_attacks_in_the_guards():
    """The guards go by features of a text, not by the texts that they are measured with."""
    from helpers.guards import presenting

    # the label itself, which an attack may well imitate
    label = runs(presenting.LABEL) | runs(presenting.END)
    guards = {file: runs(text) - label for file, text in spoken("guards").items()}
    for path in sorted((ROOT / "data" / "attacks").glob("*.json")):
        known = set()
        for text in strings(json.loads(read(path))):
            known |= runs(text)
        for file, said in guards.items():
            shared = sorted(" ".join(run) for run in known & said)
            assert not shared, f"{file} and {name(path)} both say: {shared[:5]}"


def strings(value) -> list[str]:
    """All texts in a JSON value."""
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for part in parts for text in strings(part)]


CAPITALS = set(  # by rule; whose they are, they do not say
    """Mr Mrs Ms Dr January February March April May June July August September October November December
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday""".split()
)


def names_in(text: str) -> set[str]:
    """Names and ids: capitalised words that never stand small, inside a sentence; AB-123."""
    small = set(re.findall(r"\b[a-z]+\b", text))
    inside = re.findall(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b", text)
    fields = re.findall(r"\"([A-Z][a-z]{2,})(?: [A-Z][a-z]+)*\"", text)
    words = {w for w in [*inside, *fields] if w.lower() not in small} - CAPITALS
    return words | set(re.findall(r"\b[A-Z]{1,5}[-_]?\d{2,}\b", text))


def test_names_in_text():
    text = 'We met Maya, and the Maya of "Nori" in order CW-1042. The order came.'
    assert names_in(text) == {"Maya", "Nori", "CW-1042"}


def test_no_name_or_id_from_data_in_the_practice_model():
    for source, text in data_texts(names=True).items():
        known = names_in(text)
        for file, said in practice_texts().items():
            shared = known & set(re.findall(r"[\w-]+", said))
            assert not shared, f"{file} and {source} both name {sorted(shared)[:5]}"
