"""One call to a model as a plain record: which request, what came back, how long it took."""

import hashlib
import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from .. import cost
from ..backends import BYTES_PER_TOKEN
from ..messages import text_of


@dataclass
class Caller:
    """Asks one model; every method gives back a record that can be saved as JSON."""

    client: Any
    model: str
    options: dict = field(default_factory=dict)  # go along with every call, such as extra_body
    clock: Callable[[], float] = time.perf_counter  # seconds

    def ask(self, messages: list[dict], max_tokens: int) -> dict:
        """`request` (a fingerprint), `seconds` of the whole call, `reply` as it came."""
        start = self.clock()
        reply = self.client.messages.create(**self._body(messages, max_tokens))
        return self._record(messages, max_tokens, start, reply)

    def timed(self, messages: list[dict], max_tokens: int = 1) -> dict:
        """The same with `first_token_seconds`: how long the model read before it began to write."""
        start, first = self.clock(), None
        with self.client.messages.stream(**self._body(messages, max_tokens)) as stream:
            for event in stream:
                if first is None and event.type == "content_block_delta":
                    first = self.clock() - start
            reply = stream.get_final_message()
        record = self._record(messages, max_tokens, start, reply)
        # a reply without any text (the model ended at once) began when it ended
        seconds = record["seconds"] if first is None else round(first, 3)
        return {**record, "first_token_seconds": seconds}

    def refused(self, messages: list[dict], max_tokens: int = 1) -> dict:
        """The server's `error` (class, status, body); `reply` when it accepted the request."""
        import anthropic

        try:
            return self.ask(messages, max_tokens)
        except anthropic.APIStatusError as error:
            said = {"class": type(error).__name__, "status": error.status_code, "body": error.body}
            return {"request": fingerprint(messages, max_tokens), "error": said}

    def _body(self, messages, max_tokens) -> dict:
        return {
            "model": self.model,
            "max_tokens": max_tokens,
            "messages": messages,
            **self.options,
        }

    def _record(self, messages, max_tokens, start, reply) -> dict:
        seconds = round(self.clock() - start, 3)
        plain = reply.model_dump(mode="json", exclude_none=True)
        plain["model"] = PurePosixPath(plain.get("model", "")).name  # some servers send a path
        print_ = fingerprint(messages, max_tokens)
        return {"request": print_, "seconds": seconds, "reply": plain}


@dataclass
class Estimate(Caller):
    """Calls nobody and adds up what the calls cost at most, in US dollars at list price.

    Dense text, replies of full length, every prompt written to the cache, none read from it.
    """

    dollars: float = 0.0

    def ask(self, messages, max_tokens):
        text = json.dumps(messages, ensure_ascii=False)
        tokens = round(len(text.encode("utf-8")) / BYTES_PER_TOKEN)
        self.dollars += cost.dollars(self.model, 0, max_tokens, cache_write_5m=tokens)
        words = {"content": [{"type": "text", "text": "word " * max_tokens}]}
        print_ = fingerprint(messages, max_tokens)
        return {"request": print_, "seconds": 0.0, "first_token_seconds": 0.0, "reply": words}

    def timed(self, messages, max_tokens=1):
        return self.ask(messages, max_tokens)


def fingerprint(messages: list[dict], max_tokens: int) -> str:
    """Sixteen characters that stand for a request, whatever model it goes to."""
    text = json.dumps([messages, max_tokens], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def user(text: str) -> dict:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict:
    return {"role": "assistant", "content": text}


def said(call: dict) -> str:
    """The text of a recorded call's reply; "" when it has none."""
    return text_of(call["reply"]).strip()


def stands_in(value: str, text: str) -> bool:
    """The one rule of scoring: `value` stands in `text`, as whole words, in any case."""
    return bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE))


def prompt_tokens(call: dict) -> int:
    """Tokens of the whole prompt of a recorded call, read from the cache or not."""
    usage = call["reply"]["usage"]
    parts = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    return sum(usage.get(part) or 0 for part in parts)


def cached_tokens(call: dict) -> int:
    """Tokens of a recorded call's prompt that were read from the cache."""
    return call["reply"]["usage"].get("cache_read_input_tokens") or 0
