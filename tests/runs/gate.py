"""A port before the model server that can be shut: then connections are refused, as when the server is down."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from benchmarks.running_server import RunningServer


class Gate:
    """Opened and shut from any thread; `url` stays the same. Shutting cuts what is on its way."""

    def __init__(self, server: RunningServer) -> None:
        self._to = urlsplit(server.url).port
        with socket.socket() as free:  # held by nobody meanwhile: nothing else binds fixed ports here
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None
        self._passing: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def open(self) -> None:
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result(10)

    def shut(self) -> None:
        asyncio.run_coroutine_threadsafe(self._shut(), self._loop).result(10)

    def end(self) -> None:
        self.shut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def _open(self) -> None:
        self._server = await asyncio.start_server(self._pass, "127.0.0.1", self.port, reuse_address=True)

    async def _shut(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in self._passing:
            writer.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._passing.add(writer)
        there, back = await asyncio.open_connection("127.0.0.1", self._to)
        self._passing.add(back)
        try:
            await asyncio.gather(_pour(reader, back), _pour(there, writer))
        finally:
            self._passing -= {writer, back}


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while chunk := await reader.read(65_536):
            writer.write(chunk)
            await writer.drain()
    writer.close()


@contextmanager
def gate_to(server: RunningServer) -> Iterator[Gate]:
    """A gate that is open."""
    gate = Gate(server)
    gate.open()
    try:
        yield gate
    finally:
        gate.end()
