"""Texts of papers by hash, so that a browser loads a long one once."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from core.errors import EdgewiseError
from services.texts import reading
from web.error_status import status_of


async def text_content(request: Request) -> Response:
    """Return the text with this SHA-256; it never changes, so a browser may cache it."""
    try:
        text = await run_in_threadpool(reading.content, request.state.viewer, request.path_params["sha256"])
    except EdgewiseError as error:
        return PlainTextResponse(str(error), status_of(error))
    return PlainTextResponse(text, headers={"Cache-Control": "private, max-age=86400, immutable"})
