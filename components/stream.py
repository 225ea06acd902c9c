"""Streamlit's websocket, as far as it needs mending: what a browser that connects again may be sent.

When a connection breaks in the middle of a script run, Streamlit 1.67 keeps what the run still says and sends it
over the next connection. The browser never got the run's beginning, puts an element at a place that is not there
("Bad delta path index"), and its page turns white until someone reloads it.
"""

from __future__ import annotations

from google.protobuf.message import DecodeError
from starlette.types import Message, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

_BEGINS = "new_session"
_PART_OF_A_RUN = frozenset({"delta", "ref_hash", "script_finished"})


def whole_runs_only(send: Send) -> Send:
    """`send` of one new connection, without what a run says that began on an earlier one.

    A browser that was cut off during a run asks for another when it is back, so nothing is missed.
    """
    has_begun = False

    async def send_whole_runs(message: Message) -> None:
        nonlocal has_begun
        if not has_begun and message["type"] == "websocket.send" and message.get("bytes"):
            kind = _kind(message["bytes"])
            if kind in _PART_OF_A_RUN:
                return
            has_begun = kind == _BEGINS
        await send(message)

    return send_whole_runs


def _kind(frame: bytes) -> str | None:
    try:
        kind: str | None = ForwardMsg.FromString(frame).WhichOneof("type")
    except DecodeError:
        return None  # not ours to judge
    return kind
