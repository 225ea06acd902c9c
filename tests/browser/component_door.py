"""The door of a component's test page, where its desk posts what a person does; a page that was cut off amid a run must
not turn white here either."""

from __future__ import annotations

import os

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from components.stream import whole_runs_only
from tests.browser.bare_page import BARE_ROUTE, in_json
from tests.browser.component_app import TESTER
from web.desks import desk
from web.scripts import SCRIPT_ROUTE


class _AsTester:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})["viewer"] = TESTER
        await self.app(scope, receive, whole_runs_only(send) if scope["type"] == "websocket" else send)


app = in_json(
    st.App(
        os.environ["TESTED_SCRIPT"],
        routes=[SCRIPT_ROUTE, BARE_ROUTE, Route("/desk/{tab}", desk, methods=["POST"])],
        middleware=[Middleware(_AsTester)],
    )
)
