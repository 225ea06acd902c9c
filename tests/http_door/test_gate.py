"""The gate and the forms behind it, without a server in between."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient
from starlette.types import Message

from core.people import Role, Viewer
from http_door import forms, hosts
from http_door.gate import Gate
from http_door.routes import routes
from services import access
from services.study import Study
from settings import Settings
from store import people

PLAIN = Settings(home=Path("home"), store="store", port=8501, is_local=False, behind_proxy=False)
NAVIGATING = {"Accept": "text/html", "Sec-Fetch-Mode": "navigate"}


def app() -> Starlette:
    return Starlette(routes=routes(), middleware=[Middleware(Gate)])


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    return lambda **changed: monkeypatch.setattr(hosts, "SETTINGS", replace(PLAIN, **changed))


@pytest.fixture
def browser(sqlite_study: Study, use: Callable[..., None]) -> Iterator[TestClient]:
    use()
    with TestClient(app(), "http://127.0.0.1:8501", client=("127.0.0.1", 50_000), follow_redirects=False) as client:
        yield client


@pytest.mark.parametrize(
    "path",
    ["//elsewhere.example/x", "///elsewhere.example", "/%2felsewhere.example", "/%2f%2felsewhere.example/x",
     "//elsewhere.example/..", "/\\elsewhere.example", "/%5celsewhere.example", "/%09/elsewhere.example"],
)  # fmt: skip
def test_a_local_study_leads_nowhere_else_on_its_first_visit(
    browser: TestClient, use: Callable[..., None], newcomer: Callable[..., Viewer], path: str
) -> None:
    newcomer("Owner", Role.OWNER)
    use(is_local=True)
    answer = asyncio.run(asked("GET", path, NAVIGATING))
    assert answer["status"] == 303
    place = answer["location"]
    assert place.startswith("/")
    assert not place.startswith(("//", "/\\", "/\t"))


def test_a_local_study_leads_on_to_the_page_that_was_asked_for(
    browser: TestClient, use: Callable[..., None], newcomer: Callable[..., Viewer]
) -> None:
    newcomer("Owner", Role.OWNER)
    use(is_local=True)
    answer = browser.get("/people?part=guidelines", headers=NAVIGATING)
    assert (answer.status_code, answer.headers["location"]) == (303, "/people?part=guidelines")


@pytest.mark.parametrize("csrf", ["é", "\u0141", "%ff", "\ud7ff", ""])
def test_a_forged_sign_out_in_any_letters_is_refused(
    browser: TestClient, newcomer: Callable[..., Viewer], sqlite_study: Study, csrf: str
) -> None:
    token = session_of(sqlite_study, newcomer("Owner", Role.OWNER))
    answer = browser.post("/sign-out", data={"csrf": csrf}, headers={"Cookie": f"{sqlite_study.cookie}={token}"})
    assert answer.status_code == 403
    assert "out of date" in answer.text


def test_a_form_that_does_not_arrive_whole_is_no_fault_of_ours(
    browser: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        answer = asyncio.run(asked("POST", "/sign-in", {"Content-Length": "100"}, [b"name=Own", None]))
    assert answer["status"] == 400
    assert caplog.records == []


def test_a_form_that_never_ends_is_given_up(browser: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "LONGEST_SENDING_S", 0.05)
    answer = asyncio.run(asked("POST", "/sign-in", {"Content-Length": "100"}, [b"name=Own"]))
    assert answer["status"] == 408


async def asked(
    method: str, path: str, headers: Mapping[str, str], body: list[bytes | None] | None = None
) -> dict[str, Any]:
    """What the app answers to a path as it stands on the wire; after `body`, where None is the end of the
    connection, nothing more comes."""
    raw, _, query = path.encode().partition(b"?")
    waiting = list(body or [b""])
    told: dict[str, Any] = {}

    async def receive() -> Message:
        if not waiting:
            await asyncio.sleep(60)
        part = waiting.pop(0)
        if part is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": part, "more_body": body is not None}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            told["status"] = message["status"]
            told.update({name.decode(): value.decode() for name, value in message["headers"]})

    named = {"host": "127.0.0.1:8501", **headers}
    scope = {
        "type": "http", "method": method, "path": unquote(raw.decode()), "raw_path": raw, "query_string": query,
        "headers": [(name.lower().encode(), value.encode()) for name, value in named.items()], "scheme": "http",
        "client": ("127.0.0.1", 50_000), "server": ("127.0.0.1", 8501), "http_version": "1.1", "root_path": "",
        "asgi": {"version": "3.0"},
    }  # fmt: skip
    await app()(scope, receive, send)
    return told


def session_of(study: Study, viewer: Viewer) -> str:
    """A cookie's token for somebody who has a session already."""
    with study.store.writing() as session:
        return access.open_session(session, people.person(session, viewer.person_id), study.clock()).token
