"""Uploads before Streamlit sees them: what a page's permit covers, counted while it comes, freed when it is left."""

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

from components.widgets.uploads import let_go
from core.errors import EdgewiseError
from core.people import Viewer
from services.exchange.uploads import PERMITS
from web.answers import status_of

PLACE = "/_stcore/upload_file"
BROKEN_S = 30.0
"""How long files outlive a connection that broke; one that was closed in good order takes them along at once."""
_FILE = re.compile(PLACE + r"/([^/]+)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_IN_GOOD_ORDER = (1000, 1001)  # what a closed or left tab says; 1005 is also what uvicorn makes of a broken line

PERMITS.release = let_go  # services know no Streamlit
_sockets: dict[str, object] = {}
"""The latest connection of each of Streamlit's sessions, by the session's id."""


# --- files ------------------------------------------------------------------------------------------------------


async def take(app: ASGIApp, viewer: Viewer, scope: Scope, receive: Receive, send: Send) -> None:
    """Let Streamlit answer a request to its place for files, as far as an open page of this person allows it."""
    try:
        await _answer(app, viewer, scope, receive, send)
    except EdgewiseError as error:
        await PlainTextResponse(str(error), status_of(error))(scope, receive, send)


async def _answer(app: ASGIApp, viewer: Viewer, scope: Scope, receive: Receive, send: Send) -> None:
    found = _FILE.fullmatch(scope["path"])
    if found is None:
        await PlainTextResponse("There is no such file.", 404)(scope, receive, send)
    elif scope["method"] == "PUT":
        await _put(app, viewer, found[1], found[2], scope, receive, send)
    elif scope["method"] == "DELETE":
        await _delete(app, viewer, found[1], found[2], scope, receive, send)
    else:
        refusal = PlainTextResponse("Only PUT and DELETE are allowed here.", 405, {"Allow": "PUT, DELETE"})
        await refusal(scope, receive, send)


async def _put(
    app: ASGIApp, viewer: Viewer, session: str, file_id: str, scope: Scope, receive: Receive, send: Send
) -> None:
    arrival = PERMITS.reserve(viewer, session, file_id, _length(scope))
    come, is_kept = 0, False

    async def count() -> Message:
        nonlocal come
        message = await receive()
        come += len(message.get("body", b""))
        PERMITS.grow(arrival, come)
        return message

    async def keep(message: Message) -> None:
        nonlocal is_kept
        if _is_done(message):
            PERMITS.keep(arrival)
            is_kept = True
        await send(message)

    try:
        await app(scope, count, keep)
    except ClientDisconnect:
        pass  # the browser took the file back before it was here
    finally:
        if not is_kept:
            PERMITS.give_up(arrival)
            let_go(session, [file_id])


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
    said = Headers(scope=scope).get("content-length", "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 20 else None


def _is_done(message: Message) -> bool:
    return message["type"] == "http.response.start" and int(message["status"]) == HTTPStatus.NO_CONTENT


# --- pages that are left ----------------------------------------------------------------------------------------


async def until_left(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one websocket of Streamlit's, and let the files of its session go when it is over."""
    this, session, code = object(), "", 1006

    async def hear() -> Message:
        nonlocal code
        message = await receive()
        if message["type"] == "websocket.disconnect":
            code = message["code"]
        return message

    async def say(message: Message) -> None:
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
        await app(scope, hear, say)
    finally:
        if code in _IN_GOOD_ORDER:
            end()
        else:
            asyncio.get_running_loop().call_later(BROKEN_S, end)


def _session_of(frame: bytes) -> str:
    """The id of Streamlit's session, if the frame begins a run of it."""
    try:
        message = ForwardMsg.FromString(frame)
    except DecodeError:
        return ""
    return str(message.new_session.initialize.session_id) if message.WhichOneof("type") == "new_session" else ""
