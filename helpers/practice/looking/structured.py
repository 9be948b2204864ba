"""An answer from documents as the fields of a schema."""

import re
from collections.abc import Callable

from ..filling.schemas import Field, Schema, kind_of
from .answering import Looked

_IDS = frozenset("id ids document documents ticket tickets source sources matches match reference references hits found list items".split())  # fmt: skip
_ANSWER = frozenset("answer summary text response result conclusion explanation finding reply message".split())  # fmt: skip
_QUOTES = frozenset("quote quotes evidence sentence sentences excerpt excerpts passage passages".split())  # fmt: skip
_COUNT = frozenset("count number total amount how many hits matches".split())
_FOUND = frozenset("found any mentioned mentions answered exists present relevant match matches says".split())  # fmt: skip


def answers_from(looked: Looked, root: object) -> Callable[[Field, dict, str], object]:
    """`answers(field, spec, kind)` for `Filler`: the value for a field, None where it has none."""
    schema = Schema(root)

    def answers(field: Field, spec: dict, kind: str) -> object:
        if len(field.path) != 1 or "enum" in spec:
            return None
        words = set(field.words)
        if kind == "array":
            return _list(spec, words)
        if kind == "string":
            if words & _ANSWER or re.search(r"\banswer\b", field.description, re.I):
                return looked.answer
            if words & _QUOTES:
                return " ".join(looked.quotes)
            return looked.ids[0] if words & {"id"} and looked.ids else None
        if kind in ("integer", "number") and words & _COUNT:
            return len(looked.ids)
        if kind == "boolean" and words & _FOUND:
            return bool(looked.ids)
        return None

    def _list(spec: dict, words: set[str]) -> object:
        item = schema.resolve(spec.get("items"))
        if kind_of(item) == "object":
            return _objects(item)
        if words & _QUOTES:
            return list(looked.quotes)
        return looked.ids if words & _IDS or words & {"customers"} else None

    def _objects(item: dict) -> object:
        known = item.get("properties") or {}
        specs = {name: schema.resolve(part) for name, part in known.items()}
        names = {
            n for n in specs if set(Field((n,)).words) & {"id", "document", "ticket", "source"}
        }
        judged = {n for n, s in specs.items() if kind_of(s) == "boolean"}
        if not names:
            return None
        said = dict(zip(looked.ids, looked.quotes, strict=False))
        rows = []
        for one in looked.reading.documents if judged else looked.hits:
            row: dict[str, object] = {}
            for name, part in specs.items():
                if name in names:
                    row[name] = one.id
                elif name in judged:
                    row[name] = one.id in looked.ids
                elif kind_of(part) == "string" and "enum" not in part:
                    row[name] = said.get(one.id, "")
                elif name in (item.get("required") or []):
                    row[name] = schema.blank(part)
            rows.append(row)
        return rows

    return answers
