"""A desk's answer over HTTP: behind the gate, for one's own tab, and nothing once patience ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from components.desk.early_answers import EARLY_ANSWERS
from services.people import access
from services.study import Study
from store.tables import new_id
from tests.web.test_texts import SETTINGS, session_of
from web import desk_answers, hosts
from web.gate import Gate
from web.routes import routes


@pytest.fixture
def client(sqlite_study: Study, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(hosts, "SETTINGS", replace(SETTINGS))
    app = Starlette(routes=routes(), middleware=[Middleware(Gate)])
    with TestClient(app, "http://127.0.0.1:8501", client=("127.0.0.1", 50_000), follow_redirects=False) as opened:
        yield opened


def test_the_data_of_ones_own_desk_comes_as_soon_as_it_is_told(
    sqlite_study: Study, people: SimpleNamespace, client: TestClient
) -> None:
    viewer = people.annotator
    token = session_of(sqlite_study, viewer)
    tab, act = new_id(), new_id()
    data = {"acked": [act], "refused": {}, "edges": ["a"]}
    is_told = Event()

    def ask() -> tuple[int, str, str]:
        found = client.get(f"/desk/{tab}?act={act}", headers={"Cookie": f"{sqlite_study.cookie}={token}"})
        is_told.set()
        return found.status_code, found.headers["cache-control"], found.text

    mine = access.viewer_of(token)
    assert mine.session_id != viewer.session_id
    with ThreadPoolExecutor() as pool:
        asking = pool.submit(ask)
        while not is_told.wait(0.01):
            EARLY_ANSWERS.tell(tab, (viewer.session_id, viewer.person_id), {**data, "edges": ["of another session"]})
            EARLY_ANSWERS.tell(tab, (mine.session_id, mine.person_id), data)
    status, kept, said = asking.result()
    assert (status, kept, json.loads(said)) == (200, "no-store", data)


def test_nothing_comes_to_who_waits_in_vain_is_unknown_or_asks_for_no_act(
    sqlite_study: Study, people: SimpleNamespace, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_answers, "PATIENCE_S", 0.02)
    headers = {"Cookie": f"{sqlite_study.cookie}={session_of(sqlite_study, people.annotator)}"}
    assert client.get(f"/desk/{new_id()}?act={new_id()}", headers=headers).status_code == 204
    assert client.get(f"/desk/{new_id()}?act={new_id()}").status_code == 401
    for path in (f"/desk/{new_id()}", f"/desk/{new_id()}?act=1", f"/desk/x?act={new_id()}"):
        assert client.get(path, headers=headers).status_code == 400
