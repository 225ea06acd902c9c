"""A connection that does not finish asking is closed; one whose answer takes long is not."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from web import request_timeout

ASKED = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


async def slow_app(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await receive()  # until the other side leaves
        return
    await asyncio.sleep(0.6)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    await send({"type": "http.response.body", "body": b"done"})


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(request_timeout, "LONGEST_ASKING_S", 0.3)
    config = uvicorn.Config(
        slow_app, port=0, http=request_timeout.RequestTimeoutProtocol, lifespan="off", log_level="error"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join()


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def all_of(connection: socket.socket) -> bytes:
    """What comes until the server closes."""
    told = b""
    try:
        while part := connection.recv(4096):
            told += part
    except ConnectionResetError:
        pass
    return told


@pytest.mark.parametrize("sent", [b"", b"GET", ASKED[:-2]], ids=["nothing", "a word", "all but the end"])
def test_a_request_that_is_never_finished_is_given_up(port: int, sent: bytes) -> None:
    with connected(port) as connection:
        connection.sendall(sent)
        assert all_of(connection) == b""


def test_a_whole_request_is_answered_however_long_it_takes_and_the_next_one_is_not_waited_for(port: int) -> None:
    with connected(port) as connection:
        connection.sendall(ASKED)
        time.sleep(0.1)
        connection.sendall(ASKED[:-2])  # the next one begins while the first is answered, and stays unfinished
        assert all_of(connection).endswith(b"\r\n\r\ndone")


def test_a_body_that_nobody_reads_and_that_never_ends_does_not_hold_the_connection(port: int) -> None:
    with connected(port) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nhalf")
        assert all_of(connection).endswith(b"\r\n\r\ndone")


def test_a_websocket_may_be_silent(port: int) -> None:
    with connected(port) as connection:
        connection.sendall(
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        assert connection.recv(4096).startswith(b"HTTP/1.1 101 ")
        connection.settimeout(1.0)
        with pytest.raises(TimeoutError):  # nothing comes, and it is not closed
            connection.recv(4096)
