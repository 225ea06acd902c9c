"""Streamlit's own scripts, styles and fonts, of which a first page asks for some 150.

Streamlit opens each in a thread, for every browser anew: four times the work of answering from memory. They are files
of a public package under names with a hash, and hold nothing of a study.
"""

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
"""Each file by the path that it is asked for; nothing else of the disk can be named."""


@cache
def _answer(path: str) -> Response:
    file = LIBRARY_FILES[path]
    kept = {"Cache-Control": "public, immutable, max-age=31536000"}  # as Streamlit says it
    return Response(file.read_bytes(), media_type=guess_type(file.name)[0], headers=kept)


class LibraryFiles:
    """ASGI middleware that answers for these files; for whoever the gate has let through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_ours = scope["type"] == "http" and scope["path"] in LIBRARY_FILES and scope["method"] in ("GET", "HEAD")
        await (_answer(scope["path"]) if is_ours else self.app)(scope, receive, send)
