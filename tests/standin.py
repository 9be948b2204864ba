"""A server that answers as a capable model might, and not as the practice model does.

It speaks the Messages API over a real socket. Its replies rest on the practice model's, and then
differ in everything that a lesson must not rely on: a preamble, a thinking block first, facts in
another order, another number format, 1.3 times the tokens, no cache fields. Its thinking blocks come
back with the next request, where it reads past them; a reply that is asked for as JSON stays JSON.
"""

import json
import math
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import httpx2

from helpers import cost
from helpers.practice import PracticeAPI, streaming


class Server(ThreadingHTTPServer):
    request_queue_size = 128  # a class that asks at once is not turned away at the door


class StandIn:
    """`with StandIn() as server:` listens on `server.url`; `plain` leaves replies as they are."""

    def __init__(self, *, plain: bool = False):
        self.requests = 0
        self.headers: list[dict] = []
        self.dollars = 0.0  # list price of the replies, on a service that caches
        self.keys: set[str] = set()
        self._plain = plain
        self._api = PracticeAPI()
        self._lock = threading.Lock()

    def __enter__(self):
        self._server = Server(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def answer(self, method: str, path: str, headers: dict, content: bytes) -> httpx2.Response:
        """The practice API's answer, in other words; a stream is made of the reworded reply."""
        streamed, body = False, {}
        if method == "POST" and not self._plain:
            body = json.loads(content)
            streamed = body.pop("stream", False)
            content = json.dumps(without_own_thinking(body)).encode()
        with self._lock:
            self.requests += 1
            self.headers.append(dict(headers))
            self.keys.add(headers.get("authorization", "").removeprefix("Bearer "))
            response = self._api.handle_request(
                httpx2.Request(method, self.url + path, headers=headers, content=content)
            )
        if response.status_code != 200 or method != "POST" or b"event:" in response.content[:20]:
            return response
        answer = response.json()
        if answer.get("usage"):
            with self._lock:
                self.dollars += TIMES * list_price(answer)
        if not self._plain:
            structured = bool((body.get("output_config") or {}).get("format"))
            answer = reworded(answer, structured=structured)
        kept = {"request-id": response.headers["request-id"]}
        if streamed:
            kept["content-type"] = "text/event-stream"
            return httpx2.Response(200, content=streaming.events(answer), headers=kept)
        return httpx2.Response(200, json=answer, headers=kept)

    def _handler(self):
        standin = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # or each answer waits 40 ms for an acknowledgement
            wbufsize = -1

            def do_POST(self):
                content = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {k.lower(): v for k, v in self.headers.items()}
                headers.pop("content-length", None)
                response = standin.answer(self.command, self.path, headers, content)
                self.send_response(response.status_code)
                for name in ("content-type", "request-id", "retry-after"):
                    if name in response.headers:
                        self.send_header(name, response.headers[name])
                self.send_header("content-length", str(len(response.content)))
                self.end_headers()
                self.wfile.write(response.content)

            do_GET = do_POST

            def log_message(self, *_):
                pass

        return Handler


TIMES = 1.3  # the tokens of the practice model
OWN = {"type": "thinking", "thinking": "Let me look at what I was told.", "signature": "s"}


def without_own_thinking(body: dict) -> dict:
    """The request without the thinking blocks that `reworded` has put into earlier replies."""
    if not isinstance(body.get("messages"), list):
        return body
    kept = []
    for message in body["messages"]:
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, list):
            others = [b for b in content if b != OWN]
            if content and not others:
                continue
            message = {**message, "content": others}
        kept.append(message)
    return {**body, "messages": kept}


def reworded(answer: dict, *, structured: bool = False) -> dict:
    """The same answer as another model might give it; `structured`: its text is JSON and stays so."""
    if "input_tokens" in answer:  # of count_tokens
        counted = {"input_tokens": more(answer["input_tokens"])}
        if edits := answer.get("context_management"):
            counted["context_management"] = {name: more(n) for name, n in edits.items()}
        return counted
    usage = answer["usage"]
    cached = ("cache_read_input_tokens", "cache_creation_input_tokens")  # it has no cache
    whole = usage["input_tokens"] + sum(usage.get(name) or 0 for name in cached)
    content = [
        {**b, "text": reworded_text(b["text"])} if b["type"] == "text" and not structured else b
        for b in answer["content"]
    ]
    return {
        **answer,
        "content": [OWN, *content],
        "usage": {"input_tokens": more(whole), "output_tokens": more(usage["output_tokens"])},
    }


def more(tokens: int) -> int:
    """The stand-in's count of what the practice model counts as `tokens`."""
    return math.ceil(TIMES * tokens)


def list_price(answer: dict) -> float:
    """US dollars of an answer of the practice API."""
    reply = SimpleNamespace(usage=SimpleNamespace(**answer["usage"]))
    return cost.Call.of({"model": answer["model"]}, reply).dollars


def reworded_text(text: str) -> str:
    """A preamble, the sentences in reverse order, thousands with a comma."""
    sentences = re.split(r"(?<=[.!?])\s+", text.strip())
    turned = " ".join(reversed(sentences))
    grouped = re.sub(r"(?<![\w.,-])\d{4,}(?![\w-])", lambda m: f"{int(m[0]):,}", turned)
    return f"Sure, here is what I can say. {grouped}"
