"""A provider at the loopback address that sends what a test has it say, well-formed or not."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Sent = tuple[int, Any, dict[str, str]]
"""Status, body and headers."""


def says(content: Any, reason: Any = "stop", **more: Any) -> Sent:
    """A chat completion. `more`: of its message, but `usage` of the body, `error` of the choice."""
    usage = more.pop("usage", {"prompt_tokens": 10, "completion_tokens": 5})
    choice: dict[str, Any] = {"index": 0, "finish_reason": reason}
    choice |= {"error": more.pop("error")} if "error" in more else {}
    choice["message"] = {"role": "assistant", "content": content, **more}
    return 200, {"choices": [choice], "usage": usage}, {}


class OddServer:
    """A provider that says to each model what it is named for. `requests`: by model."""

    def __init__(self, said: Mapping[str, Sequence[Sent]]) -> None:
        self.said, self.requests, self.url = said, Counter[str](), ""

    def next(self, model: str) -> Sent:
        self.requests[model] += 1
        return self.said[model][min(self.requests[model], len(self.said[model])) - 1]


@contextmanager
def odd_server(said: Mapping[str, Sequence[Sent]]) -> Iterator[OddServer]:
    serving = OddServer(said)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None: ...

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, made, headers = serving.next(asked["model"])
            content = (made if isinstance(made, str) else json.dumps(made)).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    serving.url = f"http://127.0.0.1:{server.server_port}/v1"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield serving
    finally:
        server.shutdown()
        server.server_close()
