"""A connection that breaks in the middle of a page's drawing: the next one begins with a whole drawing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.types import Message
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from components.stream import whole_runs_only
from tests.everything import usual
from tests.wire import Wire, cookie_of

CUTS = usual(
    range(2, 15), *(cut for cut in range(2, 15) if cut % 3)
)  # messages of a page taken before the connection breaks


@pytest.fixture
def cookie(server: Any) -> Iterator[str]:
    return cookie_of(server.url, "owner", server.password)


def test_after_a_cut_nothing_comes_before_the_beginning_of_a_run(server: Any, cookie: str) -> None:
    session = ""
    for cut in CUTS:
        with Wire(server.url, cookie, session) as wire:
            wire.ask("transcribe" if cut % 4 else "papers")
            early = []
            while not early or early[-1] != "new_session":
                early.append(wire.take().WhichOneof("type"))
            assert not {"delta", "ref_hash", "script_finished"} & set(early), (cut, early)
            for _message in range(cut):
                wire.take()
            assert session in ("", wire.session), "the Streamlit session was not resumed"
            session = wire.session
    with Wire(server.url, cookie, session) as wire:
        assert "Transcribe" in wire.open("transcribe").text


def frame(**content: Any) -> Message:
    return {"type": "websocket.send", "bytes": ForwardMsg(**content).SerializeToString()}


def test_what_is_not_of_a_run_passes_and_so_does_all_after_its_beginning() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    delta, begin, over = frame(delta={}), frame(new_session={}), frame(script_finished=0)
    others: list[Message] = [
        {"type": "websocket.accept"},
        frame(session_status_changed={}),
        {"type": "websocket.send", "text": "plain"},
        {"type": "websocket.send", "bytes": b"\xff\xff no message"},
    ]
    filtered = whole_runs_only(send)

    async def send_all() -> None:
        for message in messages:
            await filtered(message)

    messages = (
        others[0],
        delta,
        over,
        frame(ref_hash="x"),
        *others[1:],
        begin,
        delta,
        over,
        {"type": "websocket.close"},
    )
    with ThreadPoolExecutor(1) as thread:  # the browser of other tests keeps a loop running in this one
        thread.submit(asyncio.run, send_all()).result()
    assert sent == [*others, begin, delta, over, {"type": "websocket.close"}]
