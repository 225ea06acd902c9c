"""Streamlit's page, told where its server is.

Below a path such as /papers, Streamlit's script asks for its server below that path first, waits 100 ms after the
answer that nothing is there, and asks again at the root: every opened link and every reload waited for that. A host
may name the place (`window.__streamlit.BACKEND_BASE_URL`); ours is always the root, since `server.baseUrlPath` is.
"""

from __future__ import annotations

from pathlib import Path

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PLACE = 'window.__streamlit = { BACKEND_BASE_URL: window.location.origin + "/" };'
_INDEX = (Path(streamlit.__file__).parent / "static" / "index.html").read_bytes()
FIRST_PAGE = _INDEX.replace(b"<script>", f"<script>{PLACE}</script>\n    <script>".encode(), 1)


class FirstPage:
    """ASGI middleware that answers with this page where Streamlit answers with its own, whatever path that is. It is
    8 kB and goes uncompressed, so that it can be known by its text."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and _wants_page(scope):
            plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
            await self.app({**scope, "headers": plain}, receive, _with_place(send, scope["method"] == "HEAD"))
        else:
            await self.app(scope, receive, send)


def _wants_page(scope: Scope) -> bool:
    return "text/html" in Headers(scope=scope).get("accept", "")


def _with_place(send: Send, is_head: bool) -> Send:
    """What is as long as Streamlit's page is held back until its text is seen."""
    held: list[Message] = []

    async def send_page(message: Message) -> None:
        if message["type"] == "http.response.start" and _may_be_index(message):
            held.append(message)
            return
        if held:
            start = held.pop()
            if is_head or message.get("body") == _INDEX:
                MutableHeaders(scope=start)["Content-Length"] = str(len(FIRST_PAGE))
                message = {**message, "body": b"" if is_head else FIRST_PAGE}
            await send(start)
        await send(message)

    return send_page


def _may_be_index(start: Message) -> bool:
    headers = MutableHeaders(scope=start)
    return headers.get("content-type", "").startswith("text/html") and headers.get("content-length") == str(len(_INDEX))
