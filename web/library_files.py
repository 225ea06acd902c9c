"""Streamlit's scripts, styles and fonts, of which a first page requests some 150. Streamlit opens each in a thread
for every browser: four times the work of answering from memory. They are files of a public package under hashed
names, and contain nothing of a study."""

from __future__ import annotations

from functools import cache
from mimetypes import guess_type
from pathlib import Path

import streamlit
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

_ROOT = Path(streamlit.__file__).parent / "static"
LIBRARY_FILES = {
    f"/{path.relative_to(_ROOT).as_posix()}": path for path in (_ROOT / "static").rglob("*") if path.is_file()
}
"""Each file by its URL path; no other file can be named."""


@cache
def _answer(path: str) -> Response:
    file = LIBRARY_FILES[path]
    caching = {"Cache-Control": "public, immutable, max-age=31536000"}  # as Streamlit says it
    return Response(file.read_bytes(), media_type=guess_type(file.name)[0], headers=caching)


class LibraryFiles:
    """ASGI middleware that answers requests for these files, behind the gate."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_ours = scope["type"] == "http" and scope["path"] in LIBRARY_FILES and scope["method"] in ("GET", "HEAD")
        await (_answer(scope["path"]) if is_ours else self.app)(scope, receive, send)
