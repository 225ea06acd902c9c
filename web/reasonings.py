"""What a judge wrote beside its labels, asked for when a reviewer opens it."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from core.errors import EdgewiseError
from web.answers import status_of


async def judge_reasoning(request: Request) -> Response:
    """Of an item of one's own sheet (?item=), or all of it. What may be shown changes, so nobody keeps it."""
    from services.verdicts.reasoning import reasoning  # only here: it knows all benchmarks

    asked = request.query_params.get("item", "")
    number = int(asked) if asked.isdecimal() and len(asked) < 7 else None
    if asked and number is None:
        return PlainTextResponse("An item has a number.", 400)
    try:
        said = await run_in_threadpool(reasoning, request.state.viewer, request.path_params["assignment_id"], number)
    except EdgewiseError as error:
        return PlainTextResponse(str(error), status_of(error))
    return PlainTextResponse(said, headers={"Cache-Control": "no-store"})
