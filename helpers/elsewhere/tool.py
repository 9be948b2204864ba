"""The same as a tool: the agent asks, and only the answer enters its context."""

import json
from collections.abc import Callable, Mapping

from .documents import Documents
from .reading import Elsewhere, NotAllRead, read_elsewhere


class ElsewhereTool:
    """A tool by which an agent has documents read elsewhere: only the answer enters its context.

    documents: as for `read_elsewhere`, or a function that fetches them when they are needed.
    name, what: how the model knows it ("read_tickets_elsewhere", "earlier tickets"). options: more
    for `read_elsewhere`. readings: what each call took, in order.
    """

    def __init__(
        self,
        client,
        documents: Documents | Callable[[], Documents],
        *,
        name: str,
        what: str,
        **options,
    ):
        self._ask = lambda question: read_elsewhere(
            client,
            documents() if callable(documents) else documents,
            question,
            **options,
        )
        self._name = name
        self.readings: list[Elsewhere] = []
        self.tools = [
            {
                "name": name,
                "description": (
                    f"Has all {what} read by a helper, who answers a question about them in a few "
                    "sentences and names the ids on which the answer rests. Use it when an answer "
                    "is spread over many of them; to see a single one, look it up instead. The "
                    "helper knows nothing of this conversation: put all that matters into the "
                    "question."
                ),
                "input_schema": {
                    "type": "object",
                    "properties": {
                        "question": {
                            "type": "string",
                            "description": "What to look for, and which details to give back.",
                        }
                    },
                    "required": ["question"],
                    "additionalProperties": False,
                },
            }
        ]

    def call(self, name: str, input: Mapping, tool_use_id: str | None = None) -> tuple[str, bool]:
        """Carry out a call of one of `tools`: the text of its result (JSON), and `is_error`."""
        question = input.get("question") if isinstance(input, Mapping) else None
        if name != self._name:
            return f"There is no tool {name!r} here: use {self._name}.", True
        if not isinstance(question, str) or not question.strip():
            return "The question is missing: say what to look for.", True
        try:
            found, problem = self._ask(question), ""
        except NotAllRead as error:
            found, problem = error.read, str(error)
        self.readings.append(found)
        result = {"answer": found.answer, "ids": found.ids}
        if problem:
            result["problem"] = problem
        return json.dumps(result, ensure_ascii=False), bool(problem)
