"""Scripts of components, each at a URL that changes with its content."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from components.sources import content_of


async def _component_script(request: Request) -> Response:
    content = content_of(request.path_params["folder"], request.path_params["name"])
    if content is None:
        return PlainTextResponse("There is no such script; reload the page.", 404)
    return Response(
        content, media_type="text/javascript", headers={"Cache-Control": "private, max-age=31536000, immutable"}
    )


SCRIPT_ROUTE = Route("/script/{folder}/{name:path}", _component_script, methods=["GET"])
