"""The gate and the forms behind it, without a server in between."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from components.script_turns import AT_ONCE, TURNS
from components.sign_in_pages import FONT_URL
from core.people import Role, Viewer
from services.people import access
from services.study import Study, current_study, use_study
from settings import Settings
from store import people, sessions
from store.engine import Store
from tests.services.conftest import cheap_hashes
from tests.services.sign_in_parts import PASSWORD, add
from web import forms, gate, hosts, readiness
from web.cookies import left_cookie
from web.gate import Gate
from web.library_files import LIBRARY_FILES, LibraryFiles
from web.routes import routes
from web.streamlit_settings import PERSON_HEADER

__all__ = ["cheap_hashes"]

PLAIN = Settings(home=Path("home"), store="store", port=8501, is_local=False, behind_proxy=False)
Use = Callable[..., None]
VIEWER_OF = access.viewer_of
STREAM = "ws://127.0.0.1:8501/_stcore/stream"
NAVIGATING = {"Accept": "text/html", "Sec-Fetch-Mode": "navigate"}


def app() -> Starlette:
    return Starlette(routes=routes(), middleware=[Middleware(Gate), Middleware(LibraryFiles)])


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
    [
        "//elsewhere.example/x",
        "///elsewhere.example",
        "/%2felsewhere.example",
        "/%2f%2felsewhere.example/x",
        "//elsewhere.example/..",
        "/\\elsewhere.example",
        "/%5celsewhere.example",
        "/%09/elsewhere.example",
    ],
)
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


@pytest.mark.parametrize(
    ("has_left", "address"), [(True, "127.0.0.1"), (False, "192.0.2.7")], ids=["after a sign-out", "from elsewhere"]
)
def test_a_local_study_opens_by_itself_only_here_and_not_after_a_sign_out(
    browser: TestClient, use: Use, newcomer: Callable[..., Viewer], has_left: bool, address: str
) -> None:
    newcomer("Owner", Role.OWNER)
    use(is_local=True)
    cookies = {"Cookie": f"{left_cookie()}=1"} if has_left else {}
    with TestClient(app(), "http://127.0.0.1:8501", client=(address, 50_000), follow_redirects=False) as other:
        answer = other.get("/people", headers=NAVIGATING | cookies)
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=%2Fpeople")
    assert "set-cookie" not in answer.headers


@pytest.fixture
def pages(sqlite_study: Study, use: Use) -> Iterator[TestClient]:
    """The gate before a page that says whose it is and what it hears, in capitals."""

    async def page(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text(socket.headers[PERSON_HEADER])
        async for text in socket.iter_text():
            await socket.send_text(text.upper())

    use()
    behind = Starlette(routes=[WebSocketRoute(urlsplit(STREAM).path, page)], middleware=[Middleware(Gate)])
    with TestClient(behind, "http://127.0.0.1:8501", client=("127.0.0.1", 50_000)) as client:
        yield client


def test_a_page_is_opened_to_a_session_alone_and_told_whose_it_is(
    pages: TestClient, newcomer: Callable[..., Viewer], sqlite_study: Study
) -> None:
    viewer = newcomer("Expert", Role.EXPERT)
    signed_in = {"Cookie": f"{sqlite_study.cookie}={session_of(sqlite_study, viewer)}", PERSON_HEADER: "someone else"}
    with pages.websocket_connect(STREAM, headers=signed_in) as socket:
        assert socket.receive_text() == viewer.person_id
        socket.send_text("heard")
        assert socket.receive_text() == "HEARD"
    for cookies in ({}, {"Cookie": f"{sqlite_study.cookie}=of-nobody"}):
        with pytest.raises(WebSocketDisconnect) as ended, pages.websocket_connect(STREAM, headers=cookies):
            pass
        assert ended.value.code == 1008


def test_what_a_page_says_waits_while_as_many_of_its_persons_are_drawn_as_may_be(
    pages: TestClient, newcomer: Callable[..., Viewer], sqlite_study: Study
) -> None:
    viewer = newcomer("Expert", Role.EXPERT)
    signed_in = {"Cookie": f"{sqlite_study.cookie}={session_of(sqlite_study, viewer)}"}
    heard: list[str] = []
    with pages.websocket_connect(STREAM, headers=signed_in) as socket:
        heard.append(socket.receive_text())
        reader = threading.Thread(target=lambda: heard.append(socket.receive_text()), daemon=True)
        third = threading.Thread(target=drawn_once, args=[viewer.person_id])
        with ExitStack() as drawn:
            for _ in range(AT_ONCE):
                drawn.enter_context(TURNS.take(viewer.person_id))
            third.start()
            while not TURNS._waiting[viewer.person_id]:
                time.sleep(0.01)
            reader.start()
            socket.send_text("later")
            reader.join(0.3)
            assert heard == [viewer.person_id]
        third.join(10)
        reader.join(10)
    assert heard == [viewer.person_id, "LATER"]


@pytest.mark.parametrize("csrf", ["é", "\u0141", "%ff", "\ud7ff", ""])
def test_a_forged_sign_out_in_any_letters_is_refused(
    browser: TestClient, newcomer: Callable[..., Viewer], sqlite_study: Study, csrf: str
) -> None:
    token = session_of(sqlite_study, newcomer("Owner", Role.OWNER))
    answer = browser.post("/sign-out", data={"csrf": csrf}, headers={"Cookie": f"{sqlite_study.cookie}={token}"})
    assert answer.status_code == 403
    assert "expired" in answer.text


def form_of(browser: TestClient, path: str = "/sign-in") -> tuple[str, str]:
    """The form's cookie (name and value) and its field."""
    answer = browser.get(path)
    field = re.search(r'name="form" value="([^"]+)"', answer.text)
    assert field is not None
    return answer.headers["set-cookie"].partition(";")[0], field[1]


@pytest.mark.parametrize("planted", ["x", "made-up", "a." + "0" * 64, ".", "é"])
def test_a_planted_form_cookie_opens_no_form(browser: TestClient, sqlite_study: Study, planted: str) -> None:
    cookie = f"{sqlite_study.cookie}_form={planted}".encode()
    fields = {"name": "Owner", "password": PASSWORD, "form": planted}
    answer = browser.post("/sign-in", data=fields, headers=[(b"cookie", cookie)])
    assert answer.status_code == 403
    assert "This form has expired" in answer.text
    assert f"_form={planted};" not in answer.headers["set-cookie"]


def test_a_form_of_another_study_is_none_of_this_one(browser: TestClient, sqlite_study: Study) -> None:
    use_study(replace(sqlite_study, secret="another study's"))
    _, field = form_of(browser)
    use_study(sqlite_study)
    cookie = f"{sqlite_study.cookie}_form={field}"
    answer = browser.post("/sign-in", data={"form": field}, headers={"Cookie": cookie})
    assert (answer.status_code, "This form has expired" in answer.text) == (403, True)


@pytest.mark.usefixtures("cheap_hashes")
def test_a_form_is_taken_with_its_own_cookie_and_two_tabs_share_one(browser: TestClient, use: Use) -> None:
    add("Owner", Role.OWNER)
    cookie, field = form_of(browser)
    assert form_of(browser) == (cookie, field)
    answer = browser.post("/sign-in", data={"name": "Owner", "password": PASSWORD, "form": field})
    assert answer.status_code == 303
    browser.cookies.clear()
    assert form_of(browser) != (cookie, field)


@pytest.mark.usefixtures("cheap_hashes")
def test_behind_tls_cookies_are_of_this_host_alone(browser: TestClient, use: Use, sqlite_study: Study) -> None:
    add("Owner", Role.OWNER)
    use(behind_proxy=True)
    browser.base_url = "https://127.0.0.1:8501"
    cookie, field = form_of(browser)
    assert cookie.startswith(f"__Host-{sqlite_study.cookie}_form=")
    signed_in = browser.post("/sign-in", data={"name": "Owner", "password": PASSWORD, "form": field})
    for line in signed_in.headers.get_list("set-cookie"):
        name, _, rest = line.partition("=")
        assert "; Secure" in rest, name
        assert "; Path=/" in rest, name
        assert "Domain" not in rest, name
        assert name.startswith("__Host-") or "Max-Age=0" in rest, name
    assert browser.cookies.get(f"__Host-{sqlite_study.cookie}")
    assert browser.get("/sign-in").status_code == 303  # signed in
    csrf = {"csrf": access.viewer_of(browser.cookies[f"__Host-{sqlite_study.cookie}"]).csrf}
    assert browser.post("/sign-out", data=csrf).status_code == 303
    assert f"__Host-{sqlite_study.cookie}" not in browser.cookies
    assert browser.get("/sign-in").status_code == 200


def test_behind_tls_a_cookie_of_the_plain_name_opens_nothing(
    browser: TestClient, use: Use, newcomer: Callable[..., Viewer], sqlite_study: Study
) -> None:
    token = session_of(sqlite_study, newcomer("Expert", Role.EXPERT))
    use(behind_proxy=True)
    assert browser.get("/sign-in", headers={"Cookie": f"{sqlite_study.cookie}={token}"}).status_code == 200
    assert browser.get("/sign-in", headers={"Cookie": f"__Host-{sqlite_study.cookie}={token}"}).status_code == 303


def test_without_a_proxy_the_name_of_behind_tls_opens_nothing(
    browser: TestClient, newcomer: Callable[..., Viewer], sqlite_study: Study
) -> None:
    token = session_of(sqlite_study, newcomer("Expert", Role.EXPERT))
    assert browser.get("/sign-in", headers={"Cookie": f"__Host-{sqlite_study.cookie}={token}"}).status_code == 200
    assert browser.get("/sign-in", headers={"Cookie": f"{sqlite_study.cookie}={token}"}).status_code == 303


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


def test_ready_says_so_to_anybody(browser: TestClient) -> None:
    for method in ("GET", "HEAD"):
        answer = browser.request(method, "/ready")
        assert (answer.status_code, answer.text) == (200, "ready" if method == "GET" else "")
    assert browser.post("/ready").status_code == 401
    assert browser.get("/ready", headers={"Host": "elsewhere.example"}).status_code == 400


def test_ready_says_store_down_while_health_stays_the_sign_of_life(
    browser: TestClient,
    sqlite_study: Study,
    newcomer: Callable[..., Viewer],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    token = session_of(sqlite_study, newcomer("Owner", Role.OWNER))
    down = Store(f"postgresql:///none?host={tmp_path}/sockets")
    use_study(replace(sqlite_study, store=down))
    signed_in = {"Cookie": f"{current_study().cookie}={token}"}
    answer = browser.get("/ready", headers=signed_in)
    assert (answer.status_code, answer.text) == (503, "store down")
    assert browser.get("/_stcore/health", headers=signed_in).status_code == 404  # asked of the app: Streamlit's own
    page = browser.get("/papers", headers={**signed_in, **NAVIGATING})
    assert (page.status_code, page.text) == (503, "The store does not answer. Try again in a moment; the log says why.")
    assert "sockets" in caplog.text
    use_study(sqlite_study)
    assert browser.get("/ready").text == "ready"
    down.close()


def test_ready_says_store_down_when_the_studys_file_is_gone(browser: TestClient, sqlite_study: Study) -> None:
    assert sqlite_study.store.path is not None
    sqlite_study.store.path.rename(sqlite_study.store.path.with_suffix(".moved"))
    assert browser.get("/ready").text == "store down"


def test_many_who_ask_whether_a_silent_store_is_ready_are_answered_by_one_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks, go_on = [0], threading.Event()

    def silent() -> bool:
        looks[0] += 1
        return go_on.wait(30)

    monkeypatch.setattr(readiness, "store_answers", silent)
    monkeypatch.setattr(readiness, "LONGEST_LOOK_S", 0.2)

    async def tried() -> list[int]:
        one, request = readiness.Readiness(), Request({"type": "http"})
        first = await asyncio.gather(*(one.answer(request) for _ in range(50)))
        again = await one.answer(request)
        go_on.set()
        last = await one.answer(request)
        return [*(answer.status_code for answer in first), again.status_code, last.status_code]

    assert asyncio.run(tried()) == [503] * 51 + [200]
    assert looks == [1]


def test_the_files_of_a_first_page_look_up_its_session_once(
    browser: TestClient, newcomer: Callable[..., Viewer], sqlite_study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []

    def viewer_of(token: str) -> Viewer:
        looks.append(token)
        return VIEWER_OF(token)

    monkeypatch.setattr(access, "viewer_of", viewer_of)
    signed_in = {"Cookie": f"{sqlite_study.cookie}={session_of(sqlite_study, newcomer('Owner', Role.OWNER))}"}
    assert len(LIBRARY_FILES) > 150
    for path, file in LIBRARY_FILES.items():
        answer = browser.get(path, headers=signed_in)
        assert (answer.status_code, answer.content) == (200, file.read_bytes()), path
        assert "immutable" in answer.headers["Cache-Control"]
    assert len(looks) < len(LIBRARY_FILES) / 10
    assert browser.get("/static/../../settings.py", headers=signed_in).status_code == 404
    assert browser.post(path, headers=signed_in).status_code == 404


def test_a_session_that_ended_gets_what_is_public_for_an_hour_and_nothing_of_the_study(
    browser: TestClient, newcomer: Callable[..., Viewer], sqlite_study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(gate, "monotonic", lambda: now[0])
    viewer = newcomer("Expert", Role.EXPERT)
    signed_in = {"Cookie": f"{sqlite_study.cookie}={session_of(sqlite_study, viewer)}"}
    file = next(path for path in LIBRARY_FILES if path != FONT_URL)
    assert [browser.get(path, headers=signed_in).status_code for path in ("/papers", file)] == [404, 200]
    with sqlite_study.store.writing() as session:
        sessions.end_sessions(session, viewer.person_id, sqlite_study.clock())
    studys = ("/papers", "/image/figure/x", "/export/run/1", "/_stcore/host-config", "/static/js/unknown.js")
    assert [browser.get(path, headers=signed_in).status_code for path in studys] == [401] * len(studys)
    assert browser.get(file, headers=signed_in).status_code == 200
    assert browser.get(file).status_code == 401
    now[0] += gate.LATELY_S
    assert browser.get(file, headers=signed_in).status_code == 401


def test_of_streamlits_files_everyone_gets_the_font_of_the_sign_in_page_alone(browser: TestClient) -> None:
    page = browser.get("/sign-in")
    assert FONT_URL in page.text and "font-src 'self'" in page.headers["Content-Security-Policy"]
    font = browser.get(FONT_URL)
    assert (font.status_code, font.content[:4]) == (200, b"wOF2")
    others = [path for path in LIBRARY_FILES if "/media/" in path and path != FONT_URL]
    assert {browser.get(path).status_code for path in others} == {401}


def drawn_once(person_id: str) -> None:
    """What a script run of this person does with their turns."""
    with TURNS.take(person_id):
        pass


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
        "type": "http",
        "method": method,
        "path": unquote(raw.decode()),
        "raw_path": raw,
        "query_string": query,
        "headers": [(name.lower().encode(), value.encode()) for name, value in named.items()],
        "scheme": "http",
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8501),
        "http_version": "1.1",
        "root_path": "",
        "asgi": {"version": "3.0"},
    }
    await app()(scope, receive, send)
    return told


def session_of(study: Study, viewer: Viewer) -> str:
    """A cookie's token for somebody who has a session already."""
    with study.store.writing() as session:
        return access.open_session(session, people.person(session, viewer.person_id), study.clock()).token
