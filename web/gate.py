"""The gate in front of every path and of the websocket. Streamlit authenticates nothing: uploads, media, metrics and
the websocket answer anyone. So the gate requires a session before Streamlit sees a request."""

from __future__ import annotations

import re
from time import monotonic

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.script_turns import TURNS
from components.sign_in_pages import FONT_URL
from components.stream import whole_runs_only
from core.errors import Missing, SignedOut, StoreUnavailable
from core.people import Viewer
from services.people import access
from web import uploads
from web.cookies import left_cookie, see_other, session_token, with_session
from web.headers import with_headers
from web.hosts import is_this_computer, turned_away
from web.library_files import LIBRARY_FILES
from web.paths import here_of, same_site_path, sign_in_path
from web.screens import SCREENS
from web.streamlit_settings import PERSON_HEADER

_OPEN = re.compile(r"(GET|HEAD|POST) (/sign-in|/invitation/[^/]+)|POST /(sign-out|open-as-owner)")
LATELY_S = 3600.0
"""Time after its last check during which a session may fetch Streamlit's files and Edgewise's scripts without a
query: a first page requests hundreds. They contain nothing of a study, so a signed-out browser may still get them.
Every other path, the websocket and pages included, checks the store each time."""
_SIGNS_OF_LIFE = re.compile(r"(GET|HEAD) (/_stcore/health|/ready)")


class Gate:
    """ASGI middleware: checks host, origin and session, and sets headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._lately: dict[str, float] = {}  # when each token was looked up

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._http(scope, receive, with_headers(scope, send))

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        try:
            viewer = None if turned_away(scope, connection.headers) else await _viewer(connection)
        except StoreUnavailable:
            viewer = None  # the browser reconnects by itself
        if viewer is None:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
        await SCREENS.ready()
        await TURNS.come(viewer.person_id, starts_run=False)  # the first message does, a few milliseconds later
        # By this header Streamlit identifies a session's owner: nobody else can take one over, even knowing its id.
        name = PERSON_HEADER.lower().encode()
        others = [(each, value) for each, value in scope["headers"] if each != name]
        await uploads.until_left(
            self.app,
            {**scope, "headers": [*others, (name, viewer.person_id.encode())]},
            _in_turn(viewer.person_id, receive),
            whole_runs_only(send),
        )

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        refusal = turned_away(scope, connection.headers)
        if refusal is not None:
            await PlainTextResponse(refusal[1], refusal[0])(scope, receive, send)
            return
        if _SIGNS_OF_LIFE.fullmatch(f"{scope['method']} {scope['path']}"):
            await self.app(scope, receive, send)  # without a session, and also if the store is down
            return
        token = session_token(connection.cookies)
        if _is_public(scope) and (scope["path"] == FONT_URL or self._was_admitted_recently(token)):
            await self.app(scope, receive, send)
            return
        try:
            viewer = await _viewer(connection)
        except StoreUnavailable as trouble:
            await PlainTextResponse(str(trouble), 503)(scope, receive, send)
            return
        if viewer is not None and token is not None:
            self._note(token)
        scope.setdefault("state", {})["viewer"] = viewer
        if viewer is not None and uploads.PLACE in scope["path"]:
            await uploads.take(self.app, viewer, scope, receive, send)
        elif viewer is not None or _OPEN.fullmatch(f"{scope['method']} {scope['path']}"):
            await self.app(scope, receive, send)
        elif not _is_navigation(scope, connection.headers):
            await PlainTextResponse("Sign in first.", 401)(scope, receive, send)
        else:
            await (await _redirect_to_sign_in(connection))(scope, receive, send)

    def _was_admitted_recently(self, token: str | None) -> bool:
        return token is not None and monotonic() - self._lately.get(token, -LATELY_S) < LATELY_S

    def _note(self, token: str) -> None:
        now = monotonic()
        self._lately = {each: at for each, at in self._lately.items() if now - at < LATELY_S} | {token: now}


def _in_turn(person_id: str, receive: Receive) -> Receive:
    """Delay a person's messages while their pages wait to be drawn."""

    async def receive_in_turn() -> Message:
        message = await receive()
        if message["type"] == "websocket.receive":
            await TURNS.come(person_id)
        return message

    return receive_in_turn


def _is_public(scope: Scope) -> bool:
    """Return True if the path names a file that contains nothing of a study."""
    path = scope["path"]
    return scope["method"] in ("GET", "HEAD") and (path in LIBRARY_FILES or path.startswith("/script/"))


async def _viewer(connection: HTTPConnection) -> Viewer | None:
    try:
        return await run_in_threadpool(access.viewer_of, session_token(connection.cookies))
    except SignedOut:
        return None


def _is_navigation(scope: Scope, headers: Headers) -> bool:
    mode = headers.get("sec-fetch-mode")
    wants_page = mode == "navigate" if mode else "text/html" in headers.get("accept", "")
    return scope["method"] in ("GET", "HEAD") and wants_page


async def _redirect_to_sign_in(connection: HTTPConnection) -> Response:
    """Answer a navigation without a session: redirect to the sign-in page, or open a local study."""
    current_path = here_of(connection.scope)
    if is_this_computer(connection) and left_cookie() not in connection.cookies:
        try:
            signed_in = await run_in_threadpool(access.sign_in_locally)
        except Missing:
            return see_other(sign_in_path(current_path))
        return with_session(see_other(same_site_path(current_path)), connection, signed_in.token)
    return see_other(sign_in_path(current_path))
