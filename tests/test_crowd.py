"""Thirty people on one key: what a limit of calls does to them, and what helps."""

import json
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor

import anthropic
import httpx2
import pytest

from helpers import connect
from helpers.backends import BackendError
from helpers.cost import Meter
from helpers.messages import text_of
from helpers.models import CHAT_MODEL
from tests.standin import StandIn

PEOPLE, A_SECOND = 30, 5


class Limited(StandIn):
    """Lets so many calls a second through; to the others it says 429 and to wait for a second."""

    def __init__(self):
        super().__init__(plain=True)
        self.let_through, self.refused = deque(), 0

    def answer(self, method, path, headers, content):
        with self._lock:
            now = time.monotonic()
            while self.let_through and now - self.let_through[0] > 1:
                self.let_through.popleft()
            if len(self.let_through) >= A_SECOND:
                self.refused += 1
                return refusal()
            self.let_through.append(now)
        return super().answer(method, path, headers, content)


def refusal():
    error = {"type": "rate_limit_error", "message": "This request would exceed the limit."}
    return httpx2.Response(
        429,
        headers={"content-type": "application/json", "request-id": "req_x", "retry-after": "1"},
        content=json.dumps({"type": "error", "error": error, "request_id": "req_x"}).encode(),
    )


@pytest.fixture
def server(monkeypatch):
    with Limited() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield server


def ask(client, text):
    """The reply, or the error."""
    message = {"role": "user", "content": text}
    try:
        reply = client.messages.create(model=CHAT_MODEL, max_tokens=50, messages=[message])
    except anthropic.RateLimitError as error:
        return error
    return text_of(reply)


def everybody_asks(**options):
    """Thirty people run the same cell at once; those who got a reply."""
    client = connect("endpoint", **options)
    with ThreadPoolExecutor(PEOPLE) as people:
        texts = [f"My number is {1000 + n}." for n in range(PEOPLE)]
        replies = list(people.map(lambda text: ask(client, text), texts))
    answered = [n for n, reply in enumerate(replies) if isinstance(reply, str)]
    assert all(str(1000 + n) in replies[n] for n in answered)  # everybody the own one
    return answered


def test_without_more_retries_some_of_thirty_get_an_error(server):
    meter = Meter()
    answered = everybody_asks(meter=meter)
    assert A_SECOND <= len(answered) < PEOPLE
    assert len(meter.calls) == len(answered)  # what was refused is not billed
    time.sleep(1.1)
    assert isinstance(ask(connect("endpoint"), "Hello."), str)  # running the cell again helps


def test_with_more_retries_all_of_thirty_get_their_reply(server, monkeypatch):
    monkeypatch.setenv("COURSE_RETRIES", "12")
    assert len(everybody_asks()) == PEOPLE
    assert server.refused > PEOPLE


def test_retries_are_a_number(server, monkeypatch):
    monkeypatch.setenv("COURSE_RETRIES", "many")
    with pytest.raises(BackendError, match="COURSE_RETRIES is 'many': set it to a whole number"):
        connect("endpoint")
    assert connect("practice").max_retries == 0  # has nothing to wait for
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-x")
    monkeypatch.setenv("COURSE_RETRIES", "7")
    assert connect("claude").max_retries == 7
    monkeypatch.delenv("COURSE_RETRIES")
    assert connect("claude").max_retries == 2
