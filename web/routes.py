"""Edgewise's own paths; all others are Streamlit's."""

from __future__ import annotations

from starlette.routing import Route

from web import desks, downloads, forms, pictures, reasonings, texts
from web.cookies import see_other
from web.readiness import Readiness
from web.scripts import SCRIPT_ROUTE


def routes() -> list[Route]:
    return [
        Route("/sign-in", forms.show_sign_in, methods=["GET"]),
        Route("/sign-in", forms.sign_in, methods=["POST"]),
        Route("/sign-out", forms.sign_out, methods=["POST"]),
        Route("/open-as-owner", forms.open_as_owner, methods=["POST"]),
        Route("/invitation/{token}", forms.show_invitation, methods=["GET"]),
        Route("/invitation/{token}", forms.accept_invitation, methods=["POST"]),
        Route("/ready", Readiness().answer, methods=["GET"]),
        Route("/overview", lambda _request: see_other("/"), methods=["GET"]),  # Streamlit keeps it at the root
        Route("/image/page/{paper_id}/{page:int}", pictures.page_image, methods=["GET"]),
        Route("/image/figure/{figure_id}", pictures.figure_image, methods=["GET"]),
        Route("/text/{sha256}", texts.text_content, methods=["GET"]),
        Route("/image/thumbnail/{figure_id}", pictures.figure_thumbnail, methods=["GET"]),
        Route("/image/graph/{graph_id}", pictures.graph_thumbnail, methods=["GET"]),
        Route("/image/found/{paper_id}/{page:int}/{number:int}", pictures.found_figure, methods=["GET"]),
        Route("/reasoning/{assignment_id}", reasonings.judge_reasoning, methods=["GET"]),
        Route("/desk/{tab}", desks.desk, methods=["POST"]),
        Route("/export/run/{run_id}", downloads.run_export, methods=["GET"]),
        SCRIPT_ROUTE,
    ]
