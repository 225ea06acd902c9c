"""Streamlit's page says where its server is, and nothing else of its answers changes."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Message
from streamlit.web.server.starlette.starlette_static_routes import create_streamlit_static_handler

from web.headers import with_headers
from web.streamlit_page import PLACE, STYLE, FirstPage

STATIC = Path(streamlit.__file__).parent / "static"
PAGE = {"Accept": "text/html,*/*;q=0.8", "Accept-Encoding": "gzip"}


@pytest.fixture
def browser() -> Iterator[TestClient]:
    own = HTMLResponse("<p>" + "." * ((STATIC / "index.html").stat().st_size - 7) + "</p>")
    app = Starlette(routes=[Route("/own", lambda _request: own)], middleware=[Middleware(FirstPage)])
    app.mount("/", create_streamlit_static_handler(directory=str(STATIC), base_url=None))
    with TestClient(app, "http://127.0.0.1:8501") as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/papers", "/papers?paper=1"])
def test_the_page_of_every_path_says_that_the_server_is_at_the_root(browser: TestClient, path: str) -> None:
    page, head = browser.get(path, headers=PAGE), browser.head(path, headers=PAGE)
    assert page.text.count(f"<script>{PLACE}</script>") == 1
    assert page.text.index(PLACE) < page.text.index('type="module"')
    assert page.text.endswith(f"{STYLE}</body>\n</html>\n")
    plain = page.text.replace(f"<script>{PLACE}</script>\n    ", "").replace(STYLE, "")
    assert plain == (STATIC / "index.html").read_text()
    assert head.text == ""
    assert head.headers["content-length"] == page.headers["content-length"] == str(len(page.content))


def test_other_pages_and_whoever_asks_for_none_get_what_they_got(browser: TestClient) -> None:
    assert browser.get("/own", headers=PAGE).text.startswith("<p>...")
    assert PLACE not in browser.get("/papers", headers={"Accept": "application/json"}).text
    assert browser.get("/papers/_stcore/health", headers=PAGE).status_code == 404
    assert browser.post("/papers", headers=PAGE).status_code == 405


def test_its_script_may_run() -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "path": "/papers", "headers": [(b"host", b"127.0.0.1:8501")]}
    asyncio.run(with_headers(scope, send)({"type": "http.response.start", "status": 200, "headers": []}))  # type: ignore[arg-type]
    digest = base64.b64encode(hashlib.sha256(PLACE.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in str(sent)
