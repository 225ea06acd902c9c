"""The study's own door, and `/held` beside it: what of uploaded files this process holds just now.

A broken connection is waited for a second here, not half a minute.
"""

from __future__ import annotations

import weakref
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFile

from server import app as door
from web import uploads

uploads.BROKEN_S = 1.0
_made: list[weakref.ref[UploadedFile]] = []
_begin = UploadedFile.__init__


def _noted(file: UploadedFile, *given: Any, **named: Any) -> None:
    _begin(file, *given, **named)
    _made.append(weakref.ref(file))


UploadedFile.__init__ = _noted  # type: ignore[method-assign]  # to look through all objects takes a tenth of a second


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http" and scope["path"] == "/held":
        await JSONResponse(held())(scope, receive, send)
    else:
        await door(scope, receive, send)


def held() -> dict[str, int]:
    """Files and bytes in Streamlit's file manager, and objects anywhere else through which a file can be read."""
    manager = runtime.get_instance().uploaded_file_mgr
    assert isinstance(manager, MemoryUploadedFileManager)
    files = [file for files in list(manager.file_storage.values()) for file in list(files.values())]
    readers = [file for made in _made if (file := made()) is not None and not file.closed]
    return {"files": len(files), "bytes": sum(len(file.data) for file in files), "readers": len(readers)}
