"""Streamlit's page with the server's location and Edgewise's styles added. Below a path such as /papers, Streamlit's
script first looks for its server below that path, waits 100 ms after the failure, and then tries the root: every opened
link and reload waited for that. A page may set the location (`window.__streamlit.BACKEND_BASE_URL`); here it is always
the root, since `server.baseUrlPath` is. The styles come after Streamlit's, which they override; as an element of a page
they would be sent and cleaned with every run."""

from __future__ import annotations

from pathlib import Path

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components.sources import sheets

PLACE = 'window.__streamlit = { BACKEND_BASE_URL: window.location.origin + "/" };'
_INDEX = (Path(streamlit.__file__).parent / "static" / "index.html").read_bytes()
STYLE = f"<style>\n{sheets('shell.css')}</style>\n  "
FIRST_PAGE = _INDEX.replace(b"<script>", f"<script>{PLACE}</script>\n    <script>".encode(), 1)
FIRST_PAGE = FIRST_PAGE.replace(b"</body>", f"{STYLE}</body>".encode())


class FirstPage:
    """ASGI middleware that replaces Streamlit's index page by this page, on any path. The page is 8 kB and requested
    uncompressed, so that it is recognised by its text."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (
            scope["type"] == "http"
            and scope["method"] in ("GET", "HEAD")
            and "text/html" in Headers(scope=scope).get("accept", "")
        ):
            plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
            await self.app({**scope, "headers": plain}, receive, _with_place(send, scope["method"] == "HEAD"))
        else:
            await self.app(scope, receive, send)


def _with_place(send: Send, is_head: bool) -> Send:
    """Hold back a response with the length of Streamlit's page until its body is compared."""
    starts: list[Message] = []

    async def send_page(message: Message) -> None:
        if message["type"] == "http.response.start" and _may_be_index(message):
            starts.append(message)
            return
        if starts:
            start = starts.pop()
            if is_head or message.get("body") == _INDEX:
                MutableHeaders(scope=start)["Content-Length"] = str(len(FIRST_PAGE))
                message = {**message, "body": b"" if is_head else FIRST_PAGE}
            await send(start)
        await send(message)

    return send_page


def _may_be_index(start: Message) -> bool:
    headers = MutableHeaders(scope=start)
    return headers.get("content-type", "").startswith("text/html") and headers.get("content-length") == str(len(_INDEX))
