"""Scout in a terminal: `python -m helpers.scout --memory none|list|bounded`.

`bounded` keeps the id of its session in `scout-session.txt` in the course's data folder:

* file and session are there: the conversation goes on;
* the file is deleted: a new conversation, and nothing in the database is touched;
* the session is gone, the file is there: a fresh conversation under the same id.
"""

import argparse
import sys
from pathlib import Path

from helpers.backends import BackendError, backend_of, connect
from helpers.cost import Meter
from helpers.database import DatabaseUnavailable, connect_mongo, data_dir
from helpers.sessions import SessionConflict, SessionStore

from .bounded import Scout
from .guide import PERSONA, persona_with_places
from .turns import Forgetful, FullHistory, NoAnswer

ID_FILE = "scout-session.txt"
MEMORIES = {
    "none": "no memory: each question is the first one",
    "list": "a list of all messages: lost when you leave",
    "bounded": "a window, a summary and a database: it goes on where you left",
}


def main(arguments: list[str] | None = None) -> int:
    """Talk until `quit`, Ctrl-D, Ctrl-C or the end of the input. Returns the exit code."""
    options = _options(arguments)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a console that cannot show a letter shows "?"
            stream.reconfigure(errors="replace")
    meter = Meter()
    try:
        client = connect(options.backend, meter=meter)
        program = _program(options, client)
    except (BackendError, DatabaseUnavailable, ValueError, OSError) as error:
        print(f"Scout cannot start: {error}", file=sys.stderr)
        return 1
    print(f"Memory: {MEMORIES[options.memory]}. Dollars are list prices. `quit` to leave.")
    try:
        _talk(program, meter)
    except (KeyboardInterrupt, EOFError):
        print()
    print("Goodbye.")
    return 0


def _options(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m helpers.scout", description="Talk to Scout, the local guide of Tarnvelle."
    )
    parser.add_argument("--memory", choices=MEMORIES, default="bounded", help="default: bounded")
    parser.add_argument("--user", default="you", help="who is logged in (default: you)")
    parser.add_argument("--backend", help="practice, claude or endpoint (default: COURSE_BACKEND)")
    return parser.parse_args(arguments)


def _program(options, client):
    """The chosen program: something with `say(text, show=...)`."""
    # the practice model reads the guide itself
    practice = backend_of(client) == "practice"
    persona = PERSONA if practice else persona_with_places()
    if options.memory == "none":
        return Forgetful(client, persona=persona)
    if options.memory == "list":
        return FullHistory(client, persona=persona)
    store = SessionStore(connect_mongo(lesson="scout"))
    file = data_dir() / ID_FILE
    kept = read_id(file)
    scout = Scout(client, store, options.user, session_id=kept, persona=persona)
    if kept is None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(scout.session_id + "\n", encoding="utf-8")
    there = store.load(scout.session_id, options.user)
    if there is not None:
        print(f"Your conversation goes on after {there.last_seq - there.begin + 1} messages.")
    elif kept is None:
        print("A new conversation.")
    else:
        print("The session of this id is not in the database: a fresh conversation under it.")
    scout.session()
    return scout


def read_id(file: Path) -> str | None:
    """The session id in a file; None when there is none."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip() or None
    except FileNotFoundError:
        return None


def _talk(program, meter: Meter) -> None:
    import anthropic

    while True:
        if sys.stdin is None or sys.stdin.closed:
            raise EOFError
        text = input("\nYou: ").strip()
        if not sys.stdin.isatty():
            print(text)  # piped: nobody has typed it
        if text.casefold() == "quit":
            return
        if not text:
            continue
        before = len(meter.calls)
        print("Scout: ", end="", flush=True)
        try:
            program.say(text, show=_show)
        except (
            anthropic.AnthropicError,
            BackendError,
            DatabaseUnavailable,
            NoAnswer,
            SessionConflict,
        ) as error:
            print(f"\nThis turn failed: {error}")
            continue
        print(f"\n{_facts(program, meter, before)}")


def _show(piece: str) -> None:
    print(piece, end="", flush=True)


def _facts(program, meter: Meter, before: int) -> str:
    """One line about a turn: tokens and dollars of its calls (counting is free)."""
    calls, turn = meter.calls[before:], program.last
    parts = [
        f"tokens in {sum(call.prompt_tokens for call in calls):,}",
        f"out {sum(call.output_tokens for call in calls):,}",
        f"${sum(call.dollars or 0 for call in calls):.6f}",
        f"so far ${meter.dollars:.6f}",
    ]
    if turn.folds:
        what = f"{turn.dropped} messages folded" if turn.folded else turn.folds[-1].reason
        parts.append(what)
    return f"[{' · '.join(parts)}]"
