"""Downloads too large for memory: written to a file first, so that errors can be reported, then streamed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import quote

from anyio import CapacityLimiter, create_task_group, to_thread
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from core.errors import EdgewiseError
from web.error_status import status_of

if TYPE_CHECKING:
    from services.runs.exports.files import RunToSend

PIECE = 256 * 1024
AT_ONCE = CapacityLimiter(2)
"""Each export uses a core while it is written; the gate's threads stay free for other requests."""


async def run_export(request: Request) -> Response:
    """Return the export of a run, by id or number."""
    if request.method == "HEAD":  # avoids writing the export
        return PlainTextResponse("Only GET is allowed here.", 405, headers={"Allow": "GET"})
    from services.runs.exports import files  # imported late: loads all benchmarks

    left = Event()
    write = partial(
        files.export_to_send, request.state.viewer, request.path_params["run_id"], lambda: not left.is_set()
    )
    async with create_task_group() as waiting:
        waiting.start_soon(_note_leaving, request, left)
        try:
            answer: Response = _Sent(await to_thread.run_sync(write, limiter=AT_ONCE))
        except EdgewiseError as error:
            answer = PlainTextResponse(str(error), status_of(error))
        finally:
            waiting.cancel_scope.cancel()
    return answer


async def _note_leaving(request: Request, left: Event) -> None:
    """Stop the export when the browser disconnects, to free its core and its turn."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    left.set()


class _Sent(StreamingResponse):
    """A file that is streamed and then closed, also if the browser disconnects."""

    def __init__(self, export: RunToSend) -> None:
        name = quote(export.about.name)
        self._file = export.file
        super().__init__(
            _pieces(export.file),
            media_type=export.about.media_type,
            headers={
                "Content-Length": str(export.about.size_bytes),
                "Content-Disposition": f"attachment; filename*=utf-8''{name}",
            },
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._file.close()


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece
