"""Files too large to be held in memory: written first, so that what is wrong can still be said, then sent in pieces."""

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
from web.answers import status_of

if TYPE_CHECKING:
    from services.runs.exports.files import RunToSend

PIECE = 256 * 1024
AT_ONCE = CapacityLimiter(2)
"""Each takes a core while it is written; and the gate's threads are left to those who only look."""


async def run_export(request: Request) -> Response:
    """The export of a run, by its id or number, as a file to keep."""
    if request.method == "HEAD":  # it would be written for nothing
        return PlainTextResponse("Only GET is allowed here.", 405, headers={"Allow": "GET"})
    from services.runs.exports import files  # only here: it knows all benchmarks, which no first answer needs

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
    """A browser that has left keeps no core at work, and no turn from others."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    left.set()


class _Sent(StreamingResponse):
    """A file that goes as it is read, and is closed at the end, also of a browser that leaves before."""

    def __init__(self, found: RunToSend) -> None:
        name = quote(found.about.name)
        self._file = found.file
        super().__init__(
            _pieces(found.file),
            media_type=found.about.media_type,
            headers={
                "Content-Length": str(found.about.size_bytes),
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
