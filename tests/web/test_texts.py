"""A text over HTTP: by its hash, to whoever is signed in, kept by the browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from core.people import Viewer
from services.people import access
from services.study import Study
from services.texts import making, reading
from settings import Settings
from store import people as stored
from store.tables import new_id
from tests.services.text_parts import lay_pages
from web import hosts
from web.gate import Gate
from web.routes import routes

SETTINGS = Settings(home=None, store="store", port=8501, is_local=False, behind_proxy=False)  # type: ignore[arg-type]
Get = Callable[..., Any]


@pytest.fixture
def get(sqlite_study: Study, monkeypatch: pytest.MonkeyPatch) -> Iterator[Get]:
    monkeypatch.setattr(hosts, "SETTINGS", replace(SETTINGS))
    app = Starlette(routes=routes(), middleware=[Middleware(Gate)])
    with TestClient(app, "http://127.0.0.1:8501", client=("127.0.0.1", 50_000), follow_redirects=False) as client:

        def got(viewer: Viewer | None, path: str) -> Any:
            headers = {"Cookie": f"{sqlite_study.cookie}={session_of(sqlite_study, viewer)}"} if viewer else {}
            return client.get(path, headers=headers)

        yield got


def session_of(study: Study, viewer: Viewer) -> str:
    with study.store.writing() as session:
        return access.open_session(session, stored.person(session, viewer.person_id), study.clock()).token


def test_a_text_is_handed_out_by_its_hash_behind_the_gate(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, get: Get
) -> None:
    lay_pages(sqlite_study, a_figure.sha256)
    making.make(people.researcher, a_figure.id, act_id=new_id())
    view = reading.view(people.researcher, a_figure.id)
    assert view is not None
    found = get(people.annotator, f"/text/{view.last.sha256}")
    assert found.status_code == 200
    assert found.headers["content-type"] == "text/plain; charset=utf-8"
    assert found.headers["cache-control"] == "private, max-age=86400, immutable"
    assert found.text == reading.content(people.researcher, view.last.sha256)
    assert get(None, f"/text/{view.last.sha256}").status_code == 401
    assert get(people.annotator, f"/text/{'0' * 64}").status_code == 404
    assert get(people.annotator, "/text/x").status_code == 422
