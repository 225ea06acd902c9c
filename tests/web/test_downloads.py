"""A run's export over HTTP: to those who may export, whole or with the reason, and nothing of it is left behind."""

from __future__ import annotations

import asyncio
import io
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from anyio import to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.testclient import TestClient

from benchmarks.stored_run import RUN_ID, keep_run
from core.people import Viewer
from services.people import access
from services.runs.exports import files
from services.study import Study
from settings import Settings
from store import people as stored
from web import downloads, hosts
from web.gate import Gate
from web.routes import routes

SETTINGS = Settings(home=Path("home"), store="store", port=8501, is_local=False, behind_proxy=False)
Get = Callable[..., Any]


@pytest.fixture
def get(sqlite_study: Study, monkeypatch: pytest.MonkeyPatch) -> Iterator[Get]:
    """`get(viewer, path)` in that person's browser; None has no session."""
    monkeypatch.setattr(hosts, "SETTINGS", replace(SETTINGS))
    app = Starlette(routes=routes(), middleware=[Middleware(Gate)])
    with TestClient(app, "http://127.0.0.1:8501", client=("127.0.0.1", 50_000), follow_redirects=False) as client:

        def got(viewer: Viewer | None, path: str, method: str = "GET") -> Any:
            headers = {"Cookie": f"{sqlite_study.cookie}={session_of(sqlite_study, viewer)}"} if viewer else {}
            return client.request(method, path, headers=headers)

        yield got


def session_of(study: Study, viewer: Viewer) -> str:
    with study.store.writing() as session:
        return access.open_session(session, stored.person(session, viewer.person_id), study.clock()).token


def test_a_run_is_sent_as_it_is_exported(
    sqlite_study: Study, people: SimpleNamespace, get: Get, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "PIECE", 1_000)
    keep_run(sqlite_study.store, items=23, reply_bytes=500)
    opened: list[Any] = []
    to_send = files.export_to_send
    monkeypatch.setattr(files, "export_to_send", lambda *asked: opened.append(to_send(*asked)) or opened[-1])
    whole = io.BytesIO()
    files.export_run(people.reviewer, RUN_ID, whole)
    for named in (RUN_ID, "1"):
        answer = get(people.reviewer, f"/export/run/{named}")
        assert (answer.status_code, answer.content) == (200, whole.getvalue())
        assert answer.headers["content-length"] == str(len(whole.getvalue()))
        assert answer.headers["content-type"] == "application/zip"
        assert answer.headers["content-disposition"].endswith(f"''{sqlite_study.name}-run-1.zip")
        assert answer.headers["cache-control"] == "no-store"
    assert [each.file.closed for each in opened] == [True, True]


def test_a_run_goes_to_nobody_else(sqlite_study: Study, people: SimpleNamespace, get: Get) -> None:
    keep_run(sqlite_study.store, items=5, reply_bytes=20)
    assert get(None, "/export/run/1").status_code == 401
    refused = get(people.annotator, "/export/run/1")
    assert (refused.status_code, refused.text) == (403, "Your role does not allow this: export the study.")
    missing = get(people.reviewer, "/export/run/7")
    assert (missing.status_code, missing.text) == (404, "This study has no run 7.")
    assert get(people.reviewer, "/export/run/1", "HEAD").status_code == 405


def test_an_export_that_breaks_off_is_no_file(
    sqlite_study: Study, people: SimpleNamespace, get: Get, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.BytesIO):
        def write(self, _: Any) -> int:
            raise OSError(28, "no room")

    keep_run(sqlite_study.store, items=5, reply_bytes=20)
    file = Full()
    monkeypatch.setattr(files.tempfile, "TemporaryFile", lambda dir: file)
    answer = get(people.reviewer, "/export/run/1")
    assert (answer.status_code, file.closed) == (503, True)
    assert answer.text == "The run was not exported: the disk is full or cannot be written."


def test_a_browser_that_leaves_keeps_nothing_at_work(
    sqlite_study: Study, people: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PIECE", 1)  # so that it is asked before each line
    keep_run(sqlite_study.store, items=40, reply_bytes=20)
    is_writing, has_left = threading.Event(), threading.Event()
    wanted: list[bool] = []
    to_send = files.export_to_send

    def watched(viewer: Viewer, run_id: str, is_wanted: Callable[[], bool]) -> Any:
        def asked() -> bool:
            is_writing.set()
            assert has_left.wait(10)
            while len(wanted) < 1_000 and is_wanted():
                wanted.append(True)
                time.sleep(0.01)
            return is_wanted()

        return to_send(viewer, run_id, asked)

    async def receive() -> Any:
        if not is_writing.is_set():
            await to_thread.run_sync(is_writing.wait, 10)
            return {"type": "http.request", "body": b"", "more_body": False}
        has_left.set()
        return {"type": "http.disconnect"}

    monkeypatch.setattr(files, "export_to_send", watched)
    scope = {"type": "http", "method": "GET", "headers": [], "path_params": {"run_id": "1"}}
    request = Request({**scope, "state": {"viewer": people.reviewer}}, receive)
    before = set(sqlite_study.cache.rglob("*"))
    answer = asyncio.run(downloads.run_export(request))
    assert b"The export was stopped" in bytes(answer.body) and len(wanted) < 1_000
    assert set(sqlite_study.cache.rglob("*")) == before
