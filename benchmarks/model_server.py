"""A model server on loopback: the chat-completions and embeddings API over real HTTP, scripted to the last fault.

    python -m benchmarks.model_server --port 0 --script FILE --latency-ms 20

prints `listening on http://127.0.0.1:PORT/v1` and serves until it is stopped. Tests and measurements
ask it instead of a provider; `runs/scripted/script.py` says which models and scripts it knows.

`GET /log`    what was received, as JSON: `requests`, `most_in_flight`, `connections`, `entries`
`DELETE /log` forgets it;  `PUT /script` replaces the script;  `GET /v1/models` lists the built-in models.

One asyncio protocol and no framework: its own work must stay small compared with what it measures.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
import json
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TextIO

from runs.scripted.client import MODELS
from runs.scripted.replies import PlannedReply, asked_from, embedding_plan, json_plan
from runs.scripted.script import BUILT_IN, Script

DRIP_S = 0.05
"""Pause between two bytes of a dripping body."""


@dataclass(slots=True)
class ServedReply:
    """One received request. `outcome` is an answer's or a fault's name; `headers` are names only; `parameters` is the
    body without its model, messages and texts; `cached` bytes at its beginning were known, where the script has a
    cache; `ended` says how the exchange ended: "" (still open), "sent" or "client gone"."""

    number: int
    at: float
    path: str
    client_request_id: str
    model: str
    body_sha256: str
    message_sha256: str
    outcome: str
    status: int
    in_flight: int
    headers: list[str]
    authorization_sha256: str
    parameters: dict[str, Any]
    cached: int = 0
    ended: str = ""

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass
class Served:
    script: Script
    file: TextIO | None = None
    entries: list[ServedReply] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0
    connections: int = 0
    port: int = 0

    hash_of: Callable[[str], str] = field(default_factory=lambda: cache(lambda text: sha256(text.encode()).hexdigest()))

    def log(self) -> dict[str, Any]:
        return {
            "requests": len(self.entries),
            "most_in_flight": self.most_in_flight,
            "connections": self.connections,
            "entries": [entry.as_json() for entry in self.entries],
        }

    def forget(self) -> None:
        self.entries.clear()
        self.most_in_flight = self.in_flight
        self.connections = 0

    def opened(self, entry: ServedReply) -> None:
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        entry.in_flight = self.in_flight
        self.entries.append(entry)

    def closed(self, entry: ServedReply, ended: str) -> None:
        self.in_flight -= 1
        entry.ended = ended
        if self.file is not None:
            self.file.write(json.dumps(entry.as_json()) + "\n")
            self.file.flush()


class Connection(asyncio.Protocol):
    """One client connection: requests one after the other, kept alive between them."""

    def __init__(self, served: Served, loop: asyncio.AbstractEventLoop) -> None:
        self.served = served
        self.loop = loop
        self.buffer = bytearray()
        self.entry: ServedReply | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.served.connections += 1

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        if self.timer is not None:
            self.timer.cancel()
        if self.entry is not None:
            self._end("client gone")

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if self.entry is None:
            self._read()

    def _read(self) -> None:
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        lines = bytes(self.buffer[:end]).decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        whole = end + 4 + int(headers.get("content-length") or 0)
        if len(self.buffer) < whole:
            return
        body = bytes(self.buffer[end + 4 : whole])
        del self.buffer[:whole]
        method, path, _ = lines[0].split(" ", 2)
        self._serve(method, path, headers, body)

    def _serve(self, method: str, path: str, headers: dict[str, str], body: bytes) -> None:
        if path.endswith(("/chat/completions", "/embeddings")):
            self._ask(path, headers, body)
            return
        self.entry = None
        self._write_plan(self._about(method, path, body))

    def _about(self, method: str, path: str, body: bytes) -> PlannedReply:
        """Return a reply about the server itself, which is not logged."""
        if path == "/log" and method == "GET":
            return json_plan("log", self.served.log())
        if path == "/log" and method == "DELETE":
            self.served.forget()
            return json_plan("forgotten", {})
        if path == "/script" and method == "PUT":
            try:
                self.served.script = Script.from_json(json.loads(body), MODELS)
            except ValueError as error:
                return json_plan("bad script", {"error": {"message": str(error)}}, status=400)
            return json_plan("script", {})
        if path.endswith("/models"):
            return json_plan("models", {"object": "list", "data": [{"id": name} for name in (*BUILT_IN, *MODELS)]})
        return json_plan("not found", {"error": {"message": f"no such path: {path}"}}, status=404)

    def _ask(self, path: str, headers: dict[str, str], body: bytes) -> None:
        try:
            request = asked_from(json.loads(body), headers)
        except ValueError as error:
            self._write_plan(json_plan("unreadable", {"error": {"message": str(error)}}, status=400))
            return
        script = self.served.script
        cached = script.prefixes.cached(request)
        plan = embedding_plan(request, script) if path.endswith("/embeddings") else script.plan(request, cached)
        self.entry = ServedReply(
            number=len(self.served.entries),
            at=time.time(),
            path=path,
            client_request_id=headers.get("x-client-request-id", ""),
            model=request.model,
            body_sha256=sha256(body).hexdigest(),
            message_sha256=request.message_sha256,
            outcome=plan.name,
            status=plan.status,
            in_flight=0,
            headers=list(headers),
            authorization_sha256=self.served.hash_of(request.authorization),
            parameters={
                name: value for name, value in request.body.items() if name not in ("model", "messages", "input")
            },
            cached=cached,
        )
        self.served.opened(self.entry)
        self._later(plan.latency_s, lambda: self._write_plan(plan))

    def _later(self, wait_s: float, act: Callable[[], None]) -> None:
        self.timer = self.loop.call_later(wait_s, act)

    def _write_plan(self, plan: PlannedReply) -> None:
        if self.transport is None:
            return
        if plan.way == "hang":
            return
        if plan.way == "close":
            self._end("sent")
            self.transport.abort()
            return
        if plan.way == "plain":
            self.transport.write(plan.head() + plan.body)
            self._end("sent")
            self._read()
        elif plan.way == "cut":
            self.transport.write(plan.head() + plan.body[: len(plan.body) // 2])
            self._end("sent")
            self.transport.close()
        else:
            self.transport.write(plan.head())
            flow = self._drip if plan.way == "drip" else self._flood
            flow(plan.body)

    def _drip(self, body: bytes) -> None:
        """Send one byte after another for ever: the body never ends."""
        if self.transport is not None:
            self.transport.write(b"1\r\n" + body[:1] + b"\r\n")
            self._later(DRIP_S, lambda: self._drip(body[1:] + body[:1]))

    def _flood(self, body: bytes) -> None:
        if self.transport is not None:
            if self.transport.get_write_buffer_size() < 1 << 20:
                self.transport.write(b"%x\r\n%b\r\n" % (len(body), body))
            self._later(0.001, lambda: self._flood(body))

    def _end(self, ended: str) -> None:
        if self.entry is not None:
            self.served.closed(self.entry, ended)
            self.entry = None


async def serve(served: Served, *, host: str, port: int, with_parent: bool) -> None:
    """Serves until SIGTERM or SIGINT, or, `with_parent`, until standard input is closed."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stopped.set)
    if with_parent:
        await loop.connect_read_pipe(lambda: _UntilClosed(stopped), sys.stdin)
    server = await loop.create_server(lambda: Connection(served, loop), host, port, backlog=1024)
    served.port = server.sockets[0].getsockname()[1]
    print(f"listening on http://{host}:{served.port}/v1", flush=True)
    await stopped.wait()
    server.close()


class _UntilClosed(asyncio.Protocol):
    def __init__(self, stopped: asyncio.Event) -> None:
        self.stopped = stopped

    def connection_lost(self, exc: Exception | None) -> None:
        self.stopped.set()


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.model_server", description=__doc__.split("\n")[0])
    parser.add_argument("--port", type=int, default=0, help="0: any free port, printed")
    parser.add_argument("--script", type=Path, help="JSON file with rules and planted answers")
    parser.add_argument("--latency-ms", type=float, default=None, help="time to each answer; default: the script's")
    parser.add_argument("--log", type=Path, help="append one JSON line for each ended request")
    parser.add_argument("--with-parent", action="store_true", help="stop when standard input is closed")
    return parser.parse_args(arguments)


def main() -> None:
    chosen = options()
    script = Script.from_json(json.loads(chosen.script.read_text(encoding="utf-8")) if chosen.script else {}, MODELS)
    if chosen.latency_ms is not None:
        script.latency_s = chosen.latency_ms / 1000
    with contextlib.suppress(ImportError):  # faster where it is installed; not a dependency
        importlib.import_module("uvloop").install()
    with chosen.log.open("a", encoding="utf-8") if chosen.log else contextlib.nullcontext() as file:
        served = Served(script=script, file=file)
        asyncio.run(serve(served, host="127.0.0.1", port=chosen.port, with_parent=chosen.with_parent))


if __name__ == "__main__":
    main()
