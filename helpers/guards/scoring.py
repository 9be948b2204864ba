"""How the guards do on a file of attacks and look-alikes.

    python -m helpers.guards.scoring data/attacks/held_out.json

prints the score in one line, and below it the look-alikes refused by kind and the ids of what went
wrong (never a text, so that a held-out part can be scored unread).
"""

import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from .storing import may_store
from .suspicion import reads_like_instruction


def held_back(attack: Mapping) -> bool:
    """Whether one of an attack's `texts` is held back when it comes, the earlier ones known."""
    texts = attack["texts"]
    return any(reads_like_instruction(text, before=texts[:n]) for n, text in enumerate(texts))


def refusals(harmless) -> dict[str, str]:
    """Id and kind of refusal (`Verdict.kind`) of the look-alikes that may not be stored."""
    verdicts = {each["id"]: may_store(each["text"]) for each in harmless}
    return {name: verdict.kind for name, verdict in verdicts.items() if not verdict}


def leaks(secrets) -> list[str]:
    """Ids of texts with a secret that are stored all the same, or refused for another reason."""
    return [each["id"] for each in secrets if may_store(each["text"]).kind != "secret"]


def score(data: Mapping) -> dict[str, int]:
    """Numbers of one file (`data/attacks/README.md` has its shape).

    attacks, and how many of them were held_back; harmless texts, how many may_store refused for
    whatever reason, and how many of these as_orders (kind "instruction"); and, where the file has
    `secrets`: how many of them, and how many were not noticed (leaked).
    """
    refused = refusals(data["harmless"])
    made = {
        "attacks": len(data["attacks"]),
        "held_back": sum(map(held_back, data["attacks"])),
        "harmless": len(data["harmless"]),
        "refused": len(refused),
        "as_orders": list(refused.values()).count("instruction"),
    }
    if secrets := data.get("secrets"):
        made |= {"secrets": len(secrets), "leaked": len(leaks(secrets))}
    return made


def report(data: Mapping) -> str:
    """The score in one line, and below it what stands behind it, by kind and id."""
    refused = refusals(data["harmless"])
    lines = [json.dumps(score(data)), "", "look-alikes refused, by kind:"]
    for kind in sorted(set(refused.values())):
        lines.append(f"  {kind}: {', '.join(n for n in refused if refused[n] == kind)}")
    lines.append("attacks not held back, by kind:")
    of_kind = Counter(attack["kind"] for attack in data["attacks"])
    through = Counter(attack["kind"] for attack in data["attacks"] if not held_back(attack))
    lines += [f"  {kind}: {through[kind]} of {n}" for kind, n in of_kind.items()]
    if data.get("secrets"):
        lines.append(f"secrets not noticed: {', '.join(leaks(data['secrets'])) or 'none'}")
    return "\n".join(lines)


if __name__ == "__main__":
    for file in sys.argv[1:]:
        print(report(json.loads(Path(file).read_text("utf-8"))))
