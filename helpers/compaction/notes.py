"""The case notes: named fields that stay stable however often they are redone."""

import json
import re

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.json_schema import SkipJsonSchema

HEADING = "Case notes so far:"


class Fact(BaseModel):
    """One established fact, who states it, and the messages in which it stands."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(description="One fact as a full sentence, with its numbers, dates and names.")
    source: str = Field(description="Who states it: customer, assistant, or the name of the tool.")
    message_ids: list[str] = Field(description="Ids in brackets of the entries that state it.")
    # Set by `merge_notes` and never by a model: another fact gives the same thing another value.
    disputed: SkipJsonSchema[bool] = False


class CaseNotes(BaseModel):
    """What must not be lost of a case. All fields are required; "" and [] say that there is nothing."""

    model_config = ConfigDict(extra="forbid")

    order_ids: list[str] = Field(description="Order numbers, exactly as written.")
    customer_problem: str = Field(description="What the customer complains of.")
    facts_established: list[Fact] = Field(description="What is known, one fact each.")
    already_offered: list[str] = Field(
        description="What the customer was offered, promised or given so far, with amounts."
    )
    customer_wants: str = Field(description="What the customer asks for; the newest wish counts.")
    open_questions: list[str] = Field(description="What is still to be found out or decided.")

    @classmethod
    def empty(cls) -> "CaseNotes":
        """Notes that say nothing."""
        return cls(
            order_ids=[],
            customer_problem="",
            facts_established=[],
            already_offered=[],
            customer_wants="",
            open_questions=[],
        )

    @classmethod
    def of(cls, value) -> "CaseNotes":
        """Notes as a run stores them (a dict), as None for none yet, or as they are.

        ValueError: a dict that is no case notes.
        """
        if value is None:
            return cls.empty()
        if isinstance(value, cls):
            return value
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            raise ValueError(f"These are no case notes: {first_fault(error)}.") from None

    def stored(self) -> dict:
        """As a dict for the run record: plain JSON, without what says nothing."""
        return self.model_dump(mode="json", exclude_defaults=True)


def first_fault(error: ValidationError) -> str:
    """Where and why, in a few words, without the value."""
    detail = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(map(str, detail["loc"]))
    return f"{place}: {detail['msg']}" if place else detail["msg"]


def notes_message(notes: CaseNotes) -> dict:
    """The user message with the notes, to stand first in what the model sees.

    JSON with one entry a line. A fact is one text with its source in brackets, and "disputed" where
    it is; its message ids are left out: they lead us to the history, where the model cannot look.
    Keep this message out of the stored history, for nobody said it. A user message that follows
    joins it in one turn, which the API allows.
    """
    fields = notes.stored()
    fields["facts_established"] = list(map(as_text, notes.facts_established))
    lines = [f"{_json(name)}: {_entries(value)}" for name, value in fields.items()]
    shown = "{" + ",\n".join(lines) + "}"
    return {"role": "user", "content": f"{HEADING}\n{shown}"}


def as_text(fact: Fact) -> str:
    """The fact as one sentence: "It was left at Block C (get_tracking, disputed)."."""
    text, source = fact.text.strip().rstrip("."), " ".join(fact.source.split())
    ends = re.search(r" \(([^()]*)\)$", text)
    if ends and source.casefold() in ends[1].casefold():  # it names its source already
        text, source = text[: ends.start()], ends[1]
    marks = [source] * bool(source) + ["disputed"] * fact.disputed
    return f"{text} ({', '.join(marks)})." if marks else f"{text}."


def _entries(value) -> str:
    if not isinstance(value, list) or len(value) < 2:
        return _json(value)
    return "[\n" + ",\n".join(map(_json, value)) + "]"


def _json(value) -> str:
    return json.dumps(value, ensure_ascii=False)


def notes_schema() -> dict:
    """The JSON schema that a model fills, for `output_config={"format": ...}`."""
    import anthropic

    return anthropic.transform_schema(CaseNotes)
