"""What a desk is told ahead of its page, for a browser that has just sent acts."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from components.desk.early_answers import EARLY_ANSWERS
from core.act_ids import is_uuid7
from core.people import Viewer

PATIENCE_S = 3.0
"""An outbox that has no answer by then sends, and asks, again."""


async def desk_answer(request: Request) -> Response:
    """The data of one's own desk once it answers ?act=; nothing (204) if only the page will tell."""
    viewer: Viewer = request.state.viewer
    tab, act = request.path_params["tab"], request.query_params.get("act", "")
    if not is_uuid7(tab) or not is_uuid7(act):
        return PlainTextResponse("A desk and its act are named by UUIDv7.", 400)
    said = await EARLY_ANSWERS.wait(tab, act, (viewer.session_id, viewer.person_id), PATIENCE_S)
    headers = {"Cache-Control": "no-store"}
    if said is None:
        return Response(status_code=204, headers=headers)
    return Response(said, media_type="application/json", headers=headers)
