"""Saving the acts of desks: `POST /desk/{tab}`, answered with the outcome of each act and the desk's data. Acts do
not pass through a script run, so a receipt does not wait for drawing. The tab identifies the page
(`components/desk/tab.py`); the person is that of this request, not the one for whom the page was drawn."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from components.desk.posting.acts import MAX_CHARS, Act, read_acts
from components.desk.tab import TABS, TRYING_AGAIN, DeskAnswer, DeskTab, owner_of
from core.errors import Busy, EdgewiseError, SignedOut, StoreUnavailable
from core.people import Viewer
from services.acting import consulting_once
from web.error_status import status_of

LONGEST_SENDING_S = 30
RELOAD = "Reload the page; your changes are kept."
SOMEONE_ELSE = "You are signed in as someone else. Your changes are kept in this browser."
SIGNED_OUT = "You are signed out. Sign in; your changes are kept in this browser."
TOO_LARGE = "These changes are too large to save at once."


async def desk(request: Request) -> Response:
    """Apply posted acts. `{"acts": [{id, seq, kind, …}]}` → `{"done": [ids], "refused": {id: reason}, "data": …}`."""
    viewer: Viewer = request.state.viewer
    if request.headers.get("origin") is None:  # the gate rejects other origins
        return PlainTextResponse(RELOAD, 403)
    tab = TABS.get(request.path_params["tab"])
    if tab is None:  # the server was restarted; the desk reloads its page
        return PlainTextResponse("", 404)
    if tab.owner != owner_of(viewer):
        return PlainTextResponse(SOMEONE_ELSE, 403)
    if not hmac.compare_digest(viewer.csrf.encode(), request.headers.get("x-csrf-token", "").encode()):
        return PlainTextResponse(RELOAD, 403)
    try:
        body = await asyncio.wait_for(_body(request), LONGEST_SENDING_S)
    except (TimeoutError, ClientDisconnect):
        return PlainTextResponse(TRYING_AGAIN, 408)
    if body is None:
        return PlainTextResponse(TOO_LARGE, 413)
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        return PlainTextResponse("", 415)
    try:
        answer = await run_in_threadpool(_answer, tab, viewer, read_acts(sent))
    except SignedOut:
        return PlainTextResponse(SIGNED_OUT, 401)
    except (Busy, StoreUnavailable):
        return PlainTextResponse(TRYING_AGAIN, 503)
    except EdgewiseError as error:
        return PlainTextResponse(str(error), status_of(error))
    content = {"done": answer.done, "refused": answer.refused, "data": answer.data}
    return JSONResponse(content, headers={"Cache-Control": "no-store"})


@consulting_once()
def _answer(tab: DeskTab[object], viewer: Viewer, acts: Sequence[Act]) -> DeskAnswer:
    return tab.answer(viewer, acts)


async def _body(request: Request) -> bytes | None:
    """Return the body; None if it is larger than acts may be."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_CHARS:
            return None
    return body
