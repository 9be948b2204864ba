"""Filling a schema: bare JSON that is valid against the schema that the request asks for, with values
that the request states and nothing else."""

import json

from ..filling.filler import Filler
from ..looking.answering import look
from ..looking.structured import answers_from
from ..material.passages import material_of
from ..request import Reply, Request, say
from . import calling, working


def answer(request: Request) -> Reply | None:
    """The JSON as the one text block; None if the request asks for no schema."""
    schema = schema_of(request)
    if schema is None:
        return None
    if request.tools:  # what is still to be looked up comes first
        for skill in (working.answer, calling.answer):
            if (step := skill(request)) and step.stop_reason == "tool_use":
                return step
    request.worked_out["rules"] = []  # a rule about the form of prose would spoil the JSON
    looked = look(request)
    answers = answers_from(looked, schema) if looked else None
    value = Filler(schema, material_of(request), answers).fill()
    text = json.dumps(value, ensure_ascii=False)
    return say(text.encode("utf-8", "replace").decode("utf-8"))  # no half of a character pair


def schema_of(request: Request) -> dict | None:
    """The schema of `output_config.format`; None without one."""
    config = request.body.get("output_config")
    form = config.get("format") if isinstance(config, dict) else None
    if not isinstance(form, dict) or form.get("type") != "json_schema":
        return None
    schema = form.get("schema")
    return schema if isinstance(schema, dict) else {}
