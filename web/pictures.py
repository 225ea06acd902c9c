"""Pictures of pages, figures and graphs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from core.errors import BadInput, EdgewiseError
from core.people import Viewer
from core.words import quoted
from services.graphs import thumbnails
from services.papers import contact_sheet, images
from web.error_status import status_of


async def page_image(request: Request) -> Response:
    """Return a page of a paper, rendered at ?dpi=; with ?v= (its content's version) the browser may cache it."""
    paper_id, page = request.path_params["paper_id"], request.path_params["page"]
    return await _picture(request, lambda viewer, dpi: images.page_image(viewer, paper_id, page, dpi))


async def figure_image(request: Request) -> Response:
    figure_id = request.path_params["figure_id"]
    return await _picture(request, lambda viewer, dpi: images.figure_image(viewer, figure_id, dpi))


async def figure_thumbnail(request: Request) -> Response:
    figure_id = request.path_params["figure_id"]
    return await _answered(request, lambda viewer: images.figure_thumbnail(viewer, figure_id))


async def graph_thumbnail(request: Request) -> Response:
    """Return the boxes and lines of a graph, without names."""
    graph_id = request.path_params["graph_id"]
    return await _answered(request, lambda viewer: thumbnails.thumbnail(viewer, graph_id))


async def found_figure(request: Request) -> Response:
    """Return a thumbnail of the figure of this number (from 0) among those detected on a page."""
    paper_id, page, number = (request.path_params[name] for name in ("paper_id", "page", "number"))
    return await _answered(request, lambda viewer: contact_sheet.thumbnail(viewer, paper_id, page, number))


async def _picture(request: Request, draw: Callable[[Viewer, int], Path]) -> Response:
    return await _answered(request, lambda viewer: draw(viewer, _dpi(request)))


async def _answered(request: Request, draw: Callable[[Viewer], Path | str]) -> Response:
    """Return what `draw` returns: a file, or SVG."""
    try:
        drawn = await run_in_threadpool(draw, request.state.viewer)
    except EdgewiseError as error:
        return PlainTextResponse(str(error), status_of(error))
    keep = "private, max-age=86400" + (", immutable" if "v" in request.query_params else "")
    headers = {"Cache-Control": keep}
    if isinstance(drawn, str):
        return Response(drawn, media_type="image/svg+xml", headers=headers)
    return FileResponse(drawn, headers=headers)


def _dpi(request: Request) -> int:
    dpi = request.query_params.get("dpi", "150")
    if not dpi.isdecimal() or len(dpi) > 4:
        raise BadInput(f"dpi is {quoted(dpi[:20])}; a whole number is needed.")
    return int(dpi)
