"""Where a text asks for work on a material, and where the material begins."""

import re

_STRONG = (
    r"(?:extract|fill(?: in| out)?|summari[sz]e|summary of|parse|classif(?:y|ies)|structure|convert|turn|pull(?: out)?|identify"
    r"|read|analy[sz]e|describe|return|output|respond|answer with|condense|put|collect|gather|get|take"
    r"|record|note(?: down)?|write|make|create|produce|update|list|go through|find|look|tell me|show|give(?: me)?"
    r"|what (?:is|are)|who|which|based on|from the|using the|in the|below|here (?:is|are)|the following|these are|this is an? \w+[.:]"
    r"|complete|transform|map|label|tag|sort|categori[sz]e|translate|report|reply|assign|decide|judge|rate)\b"
)
_COMMAND = re.compile(
    rf"(?:please |now |then |also |can you |could you |i want you to |your task is to |task: |you )*{_STRONG}",
    re.I,
)
_ABOUT_FORM = re.compile(
    r"\b(?:fields?|schema|json|form|structured?|details?|information|data|text|following|below|above|message|conversation"
    r"|notes?|transcript|case|record|facts?|e-?mail|letter|description|review|listing|report|chat|dialogue|document"
    r"|invoice|person|profile|object|into|properties|values?|article|paragraph|sentence|note|memo)\b",
    re.I,
)
_MORE = re.compile(
    r"(?:please |and |but |also )*(?:keep|include|use|leave|do not|don['’]t|never|only|if|when|return|answer|invent|copy"
    r"|add|write|give|fill|every|each|all (?:fields|values)|no )\b",
    re.I,
)
_PLAINLY = re.compile(
    r"(?:please |now )*(?:extract|fill(?: in| out)?|summari[sz]e|parse|classify|convert|identify|analy[sz]e|structure|return|output) ",
    re.I,
)
_AGAIN = re.compile(
    r"(?:please |and |then )*(?:return|output|answer|respond|use|fill|extract|do not|don['’]t|only|keep|include|never)\b",
    re.I,
)
LONGEST = 400  # characters of a sentence that asks for work


def is_command(text: str) -> bool:
    """Whether a text begins by asking for work on a material: "Extract the details from this mail"."""
    head = text.lstrip(" \t\n*#>-")[:LONGEST]
    first = re.split(r"(?<=[.!?:])\s", head, maxsplit=1)[0]
    if (
        _PLAINLY.match(first)
        and re.match(r"[^\n]*(?::\s|\n\s*\n)", head)
        and len(first.split()) < 14
    ):
        return True
    return bool(_COMMAND.match(first) and _ABOUT_FORM.search(first))


def without_commands(text: str) -> tuple[str, str]:
    """(the material, what asks for the work) of a text in which nothing is marked."""
    body, asked = text.strip(), []
    while body and is_command(body) and (not asked or _AGAIN.match(body)):
        match = re.search(r"[.!?:](?=\s|$)|\n", body)
        asked.append(body[: match.end()] if match else body)
        body = body[match.end() :].lstrip(" ") if match else ""
        while body and not body.startswith("\n"):
            match = re.search(r"[.!?:](?=\s|$)|\n|$", body)
            if not _MORE.match(body[:LONGEST].lstrip(" ")):
                break
            asked.append(body[: match.end()])
            body = body[match.end() :].lstrip(" ")
            if "\n\n" in body and not body.startswith("\n"):  # a paragraph of instructions
                rest, _, body = body.partition("\n\n")
                asked.append(rest)
                break
        body = body.strip()
    said, gap, after = body.rpartition("\n\n")
    if gap and is_command(after):
        body = said
        asked.append(after)
    return body, " ".join(asked)
