"""Fix of Streamlit's websocket: what a reconnecting browser may be sent.

If a connection breaks in the middle of a script run, Streamlit 1.67 stores what the run still sends and sends it over
the next connection. The browser never got the run's beginning, puts an element at a missing place ("Bad delta path
index"), and its page turns white until it is reloaded."""

from __future__ import annotations

from google.protobuf.message import DecodeError
from starlette.types import Message, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

_BEGINS = "new_session"
_PART_OF_A_RUN = frozenset({"delta", "ref_hash", "script_finished"})


def whole_runs_only(send: Send) -> Send:
    """Wrap `send` of a new connection so that it drops messages of runs that began on an earlier one.

    A browser that was cut off during a run requests another when it is back, so nothing is missed."""
    is_whole = False

    async def send_whole_runs(message: Message) -> None:
        nonlocal is_whole
        if not is_whole and message["type"] == "websocket.send" and message.get("bytes"):
            kind = _kind(message["bytes"])
            if kind in _PART_OF_A_RUN:
                return
            is_whole = kind == _BEGINS
        await send(message)

    return send_whole_runs


def _kind(frame: bytes) -> str | None:
    try:
        kind: str | None = ForwardMsg.FromString(frame).WhichOneof("type")
    except DecodeError:
        return None  # not for this filter to judge
    return kind
