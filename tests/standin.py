"""A server that answers as a capable model might, and not as the practice model does.

It speaks the Messages API over a real socket. Its replies rest on the practice model's, and then
differ in everything that a lesson must not rely on: a preamble, a thinking block first, facts in
another order, another number format, 1.3 times the tokens, no cache fields.
"""

import json
import math
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2

from helpers import cost
from helpers.practice import PracticeAPI, streaming


class StandIn:
    """`with StandIn() as server:` listens on `server.url`; `plain` leaves replies as they are."""

    def __init__(self, *, plain: bool = False):
        self.requests = 0
        self.headers: list[dict] = []
        self.dollars = 0.0  # list price of the replies given
        self.keys: set[str] = set()
        self._plain = plain
        self._api = PracticeAPI()
        self._lock = threading.Lock()

    def __enter__(self):
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def answer(self, method: str, path: str, headers: dict, content: bytes) -> httpx2.Response:
        """The practice API's answer, in other words; a stream is made of the reworded reply."""
        streamed = False
        if method == "POST" and not self._plain:
            body = json.loads(content)
            streamed = body.pop("stream", False)
            content = json.dumps(body).encode()
        with self._lock:
            self.requests += 1
            self.headers.append(dict(headers))
            self.keys.add(headers.get("authorization", "").removeprefix("Bearer "))
            response = self._api.handle_request(
                httpx2.Request(method, self.url + path, headers=headers, content=content)
            )
        if response.status_code != 200 or method != "POST" or b"event:" in response.content[:20]:
            return response
        answer = response.json() if self._plain else reworded(response.json())
        if usage := answer.get("usage"):
            with self._lock:
                self.dollars += cost.dollars(
                    answer["model"], usage["input_tokens"], usage["output_tokens"]
                )
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
                for name in ("content-type", "request-id"):
                    self.send_header(name, response.headers[name])
                self.send_header("content-length", str(len(response.content)))
                self.end_headers()
                self.wfile.write(response.content)

            do_GET = do_POST

            def log_message(self, *_):
                pass

        return Handler


def reworded(answer: dict) -> dict:
    """The same answer as another model might give it."""
    if "input_tokens" in answer:  # of count_tokens
        return {"input_tokens": math.ceil(1.3 * answer["input_tokens"])}
    usage = answer["usage"]
    thinking = {"type": "thinking", "thinking": "Let me look at what I was told.", "signature": "s"}
    content = [
        {**b, "text": reworded_text(b["text"])} if b["type"] == "text" else b
        for b in answer["content"]
    ]
    return {
        **answer,
        "content": [thinking, *content],
        "usage": {
            "input_tokens": math.ceil(1.3 * usage["input_tokens"]),
            "output_tokens": math.ceil(1.3 * usage["output_tokens"]),
        },
    }


def reworded_text(text: str) -> str:
    """A preamble, the sentences in reverse order, thousands with a comma."""
    sentences = re.split(r"(?<=[.!?])\s+", text.strip())
    turned = " ".join(reversed(sentences))
    grouped = re.sub(r"(?<![\w.,-])\d{4,}(?![\w-])", lambda m: f"{int(m[0]):,}", turned)
    return f"Sure, here is what I can say. {grouped}"
