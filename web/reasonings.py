"""A judge's reasoning, loaded when a reviewer opens it."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from core.errors import EdgewiseError
from web.error_status import status_of


async def judge_reasoning(request: Request) -> Response:
    """Return the reasoning for an item of the user's own sheet (?item=), or all of it. Never cached, since
    permissions change."""
    from services.verdicts.reasoning import reasoning  # imported late: loads all benchmarks

    item = request.query_params.get("item", "")
    number = int(item) if item.isdecimal() and len(item) < 7 else None
    if item and number is None:
        return PlainTextResponse("An item has a number.", 400)
    try:
        text = await run_in_threadpool(reasoning, request.state.viewer, request.path_params["assignment_id"], number)
    except EdgewiseError as error:
        return PlainTextResponse(str(error), status_of(error))
    return PlainTextResponse(text, headers={"Cache-Control": "no-store"})
