"""Uploads before they reach Streamlit: limited by a page's permit, counted on arrival, freed when the page is left."""

from __future__ import annotations

import asyncio
import re
from http import HTTPStatus

from google.protobuf.message import DecodeError
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from components.widgets.uploads import release
from core.errors import EdgewiseError
from core.people import Viewer
from services.exchange.uploads import PERMITS
from web.error_status import status_of

PLACE = "/_stcore/upload_file"
BROKEN_S = 30.0
"""How long files outlive a broken connection; after a proper close they are deleted at once."""
_FILE = re.compile(PLACE + r"/([^/]+)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_IN_GOOD_ORDER = (1000, 1001)  # sent by a closed tab; 1005 is also uvicorn's code for a broken connection

PERMITS.release = release  # services do not import Streamlit
_sockets: dict[str, object] = {}
"""The latest connection of each Streamlit session, by its id."""


# --- files ------------------------------------------------------------------------------------------------------


async def take(app: ASGIApp, viewer: Viewer, scope: Scope, receive: Receive, send: Send) -> None:
    """Let Streamlit handle a file request, as far as an open page of this person permits it."""
    match = _FILE.fullmatch(scope["path"])
    try:
        if match is None:
            await PlainTextResponse("There is no such file.", 404)(scope, receive, send)
        elif scope["method"] == "PUT":
            await _put(app, viewer, match[1], match[2], scope, receive, send)
        elif scope["method"] == "DELETE":
            await _delete(app, viewer, match[1], match[2], scope, receive, send)
        else:
            refusal = PlainTextResponse("Only PUT and DELETE are allowed here.", 405, {"Allow": "PUT, DELETE"})
            await refusal(scope, receive, send)
    except EdgewiseError as error:
        await PlainTextResponse(str(error), status_of(error))(scope, receive, send)


async def _put(
    app: ASGIApp, viewer: Viewer, session: str, file_id: str, scope: Scope, receive: Receive, send: Send
) -> None:
    arrival = PERMITS.reserve(viewer, session, file_id, _length(scope))
    size, is_stored = 0, False

    async def count() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        PERMITS.grow(arrival, size)
        return message

    async def keep(message: Message) -> None:
        nonlocal is_stored
        if _is_done(message):
            PERMITS.keep(arrival)
            is_stored = True
        await send(message)

    try:
        await app(scope, count, keep)
    except ClientDisconnect:
        pass  # the browser cancelled the upload
    finally:
        if not is_stored:
            PERMITS.abandon(arrival)
            release(session, [file_id])


async def _delete(
    app: ASGIApp, viewer: Viewer, session: str, file_id: str, scope: Scope, receive: Receive, send: Send
) -> None:
    PERMITS.check(viewer, session)

    async def drop(message: Message) -> None:
        if _is_done(message):
            PERMITS.deleted(session, file_id)
        await send(message)

    await app(scope, receive, drop)


def _length(scope: Scope) -> int | None:
    length = Headers(scope=scope).get("content-length", "")
    return int(length) if length.isascii() and length.isdecimal() and len(length) < 20 else None


def _is_done(message: Message) -> bool:
    return message["type"] == "http.response.start" and int(message["status"]) == HTTPStatus.NO_CONTENT


# --- pages that are left ----------------------------------------------------------------------------------------


async def until_left(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one Streamlit websocket, and delete the files of its session when it ends."""
    this, session, code = object(), "", 1006

    async def receive_message() -> Message:
        nonlocal code
        message = await receive()
        if message["type"] == "websocket.disconnect":
            code = message["code"]
        return message

    async def send_message(message: Message) -> None:
        nonlocal session
        if not session and message["type"] == "websocket.send" and message.get("bytes"):
            session = _session_of(message["bytes"])
            if session:
                _sockets[session] = this
        await send(message)

    def end() -> None:
        if _sockets.get(session) is this:
            del _sockets[session]
            PERMITS.end(session)

    try:
        await app(scope, receive_message, send_message)
    finally:
        if code in _IN_GOOD_ORDER:
            end()
        else:
            asyncio.get_running_loop().call_later(BROKEN_S, end)


def _session_of(frame: bytes) -> str:
    """Return the id of Streamlit's session if the frame starts a script run, else ""."""
    try:
        message = ForwardMsg.FromString(frame)
    except DecodeError:
        return ""
    return str(message.new_session.initialize.session_id) if message.WhichOneof("type") == "new_session" else ""
