"""A client whose model fills case notes from rendered lines, faithfully or as a test wants it.

Its transport validates like the API and counts like the practice model; nothing else is clever.
"""

import json
import re

import anthropic
import httpx2

from helpers.messages import text_of, validate_request
from helpers.practice import tokenizer

LINE = re.compile(r"^\[([^\]]+)\] (user|assistant|tool result of [\w-]+): (.*)$", re.M)


def notes(**fields):
    """Case notes as a dict, empty where nothing is given."""
    empty = {"order_ids": [], "customer_problem": "", "facts_established": []}
    empty |= {"already_offered": [], "customer_wants": "", "open_questions": []}
    return {**empty, **fields}


def fact(text, source="customer", *ids):
    return {"text": text, "source": source, "message_ids": list(ids)}


def lines_of(body):
    """(message id, who, text) of every line that the model is shown."""
    return LINE.findall(text_of(body["messages"][0]))


def faithful(body):
    """Everything that is said becomes a fact, or an offer if it offers something."""
    said = lines_of(body)
    offers = [text for _, who, text in said if who == "assistant" and "offer" in text]
    facts = [
        fact(text, {"user": "customer"}.get(who, who).removeprefix("tool result of "), i)
        for i, who, text in said
        if text not in offers
    ]
    orders = re.findall(r"\b[A-Z]{2}-\d+\b", " ".join(text for _, _, text in said))
    filled = notes(facts_established=facts, already_offered=offers)
    return filled | {"order_ids": list(dict.fromkeys(orders))}


def brief(body):
    """Short notes of many words: the last thing said, and no more."""
    i, _, text = lines_of(body)[-1]
    return notes(facts_established=[fact(text[:40], "customer", i)])


def message(text, stop_reason="end_turn"):
    """A reply as it comes over the wire; `text` None for one without content."""
    content = [] if text is None else [{"type": "text", "text": text}]
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "-", "content": content,
        "stop_reason": stop_reason, "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 10},
    }  # fmt: skip


class NotesClient(anthropic.Anthropic):
    """`answer(body)` gives notes (a dict), a text, a reply as of `message`, or an error status.

    Several answers: one for each call, the last again and again. `bodies`: what was asked.
    """

    def __init__(self, *answers):
        self.answers, self.bodies, self.counted = list(answers), [], 0
        transport = httpx2.MockTransport(self._handle)
        super().__init__(
            api_key="practice",
            base_url="http://practice.invalid",
            max_retries=0,
            http_client=httpx2.Client(transport=transport),
            _strict_response_validation=True,
        )

    def _handle(self, request):
        body = json.loads(request.content)
        problems = validate_request(body["messages"], model=body["model"])
        if problems:
            return self._error(problems[0].status, str(problems[0]))
        if request.url.path.endswith("/count_tokens"):
            self.counted += 1
            return httpx2.Response(200, json={"input_tokens": tokenizer.count_request(body)})
        answer = self.answers[min(len(self.bodies), len(self.answers) - 1)]
        self.bodies.append(body)
        if callable(answer):
            answer = answer(body)
        if isinstance(answer, int):
            return self._error(answer, "Something went wrong.")
        if not (isinstance(answer, dict) and "stop_reason" in answer):
            text = json.dumps(answer) if isinstance(answer, dict) else answer
            answer = message(text)
        return httpx2.Response(200, json={**answer, "model": body["model"]})

    @staticmethod
    def _error(status, text):
        error = {"type": "invalid_request_error", "message": text}
        return httpx2.Response(status, json={"type": "error", "error": error})
