"""The exercises of lesson 10."""

from .source import Exercise, letters, shown


def _what_is_left(answer):
    named = letters(answer)
    if not named <= set("ABCDE"):
        return f'{shown(answer)}: write letters, such as "AB".'
    if "A" in named:
        return "A: where did the messages stand that the model saw?"
    if "B" in named:
        return "B: whose memory was the list in?"
    if "D" in named:
        return "D: who would have written it down, and when?"
    if named != {"C", "E"}:
        return f"You have {shown(answer)}; there is one more."
    return True


def _inside(answer):
    for path, expected in (
        ("/memories/notes.md", "notes.md"),
        ("/memories/case 7/facts.md", "case 7/facts.md"),
        ("/memories/a..b.md", "a..b.md"),
        ("/memories/../ben/notes.md", None),
        ("/memories/a/../../ben", None),
        ("/memories/..", None),
        ("/etc/passwd", None),
        ("memories/notes.md", None),
        ("/memories_of_ben/notes.md", None),
        ("/memories/%2e%2e/ben", None),
        ("/memories/..\\ben", None),
        ("/memories/a\\b", None),
    ):
        got = answer(path)
        if got != expected:
            return f"Tried {path!r}: it returned {shown(got)}."
    return True


def _worth_it(answer):
    for document, around, reply, calls, expected in (
        (2_000, 300, 100, 1, False),
        (2_000, 300, 100, 2, True),
        (60, 180, 40, 1, False),
        (60, 180, 40, 5, False),
        (60, 180, 40, 20, True),
        (500, 200, 500, 50, False),
        (1_000, 0, 0, 1, False),
        (1_000, 0, 0, 2, True),
        (5_000, 300, 200, 0, False),
    ):
        got = answer(document, around, reply, calls)
        if got not in (True, False) or bool(got) != expected:
            return (
                f"Tried a document of {document:,} tokens, {around} around it, an answer of {reply}, "
                f"{calls} calls to come: it returned {shown(got)}."
            )
    return True


EXERCISES = [
    Exercise(
        id="10.1",
        minutes=2,
        task=(
            "Predict. An agent's process is killed in step 12, and a new session with an empty "
            "context starts. What can the new session still read?\n\n"
            "* A: the tool results that the model had seen\n"
            "* B: the notes in a Python list of the old process\n"
            "* C: the notes in the database\n"
            "* D: what the result of step 12 says, which came and was read by nobody\n"
            "* E: the pages of tracking, by calling the tool again"
        ),
        stub='answer = ...  # letters, such as "AB"',
        hint="What stood outside the old process?",
        solution='answer = "CE"',
        because=(
            "A context and a list end with their process. What nobody wrote down has to be looked up "
            "again, and that is still possible."
        ),
        check=_what_is_left,
        wrong=(
            'answer = "C"',
            'answer = "BC"',
            'answer = "CD"',
            'answer = "ACE"',
            'answer = "all"',
        ),
        right=('answer = ["E", "C"]', 'answer = "c and e"'),
    ),
    Exercise(
        id="10.2",
        minutes=8,
        task=(
            "Write `inside(path)` for a memory tool: the name below `/memories/`, such as `notes.md` "
            "for `/memories/notes.md`, or `None` for everything that is, or only looks like, a way "
            "out: another beginning, a part `..`, a backslash, a percent sign. A file may be called "
            "`a..b.md`."
        ),
        stub='''def inside(path):
    """The name below /memories/, or None for a way out."""
    ...''',
        hint='`path.split("/")` gives the parts; compare whole parts with `".."`.',
        solution='''def inside(path):
    """The name below /memories/, or None for a way out."""
    start = "/memories/"
    if not path.startswith(start) or "\\\\" in path or "%" in path:
        return None
    return None if ".." in path.split("/") else path[len(start):]''',
        because=(
            "Refuse what you do not understand, as it stands; do not decode or repair it. The "
            "course's own also refuses invisible characters and characters that stand for plainer "
            "ones."
        ),
        check=_inside,
        wrong=(
            "def inside(path):\n    return path.removeprefix('/memories/')",
            "def inside(path):\n    if '..' in path or '%' in path or '\\\\' in path:\n"
            "        return None\n"
            "    return path[10:] if path.startswith('/memories/') else None",
            "def inside(path):\n"
            "    return path[10:] if path.startswith('/memories/') and '/..' not in path else None",
            "def inside(path):\n    return path.replace('..', '').removeprefix('/memories/')",
        ),
        right=(
            "import re\n\ndef inside(path):\n"
            "    found = re.fullmatch(r'/memories/((?:(?!\\.\\.(?:/|$))[^/\\\\%]+/)*"
            "(?!\\.\\.$)[^/\\\\%]+)', path)\n"
            "    return found[1] if found else None",
        ),
    ),
    Exercise(
        id="10.3",
        minutes=5,
        task=(
            "Write `worth_it(document, around, answer, calls)`: is it fewer tokens to read a document "
            "elsewhere? Read here, its `document` tokens are sent in each of the `calls` that are "
            "still to come. Read elsewhere, one call takes `document + around + answer` tokens "
            "(`around`: instructions and question), and then the `answer` is sent in each of the "
            "`calls`. Return `True` or `False`; for the same number of tokens, `False`."
        ),
        stub='''def worth_it(document, around, answer, calls):
    """Whether reading elsewhere takes fewer tokens."""
    ...''',
        hint="Two sums and a comparison.",
        solution='''def worth_it(document, around, answer, calls):
    """Whether reading elsewhere takes fewer tokens."""
    here = document * calls
    elsewhere = document + around + answer + answer * calls
    return elsewhere < here''',
        because="With one call to come it is never worth it: the document is read once either way.",
        check=_worth_it,
        wrong=(
            "def worth_it(document, around, answer, calls):\n    return document > around + answer",
            "def worth_it(document, around, answer, calls):\n"
            "    return document * calls > document + around",
            "def worth_it(document, around, answer, calls):\n"
            "    return document * calls >= document + around + answer + answer * calls",
            "def worth_it(document, around, answer, calls):\n    return True",
        ),
        right=(
            "def worth_it(document, around, answer, calls):\n"
            "    return (calls - 1) * document > around + (calls + 1) * answer",
        ),
    ),
]
