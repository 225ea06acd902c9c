"""Without a live session nothing answers but the doors; with one, only what the role allows."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from components.sources import joined, script
from tests.browser.plain_http import HTML, Client
from tests.cheap_passwords import SLOW_PASSWORDS
from tests.everything import EVERYTHING, usual
from tests.wire import Wire

CLOSED = (
    "/",
    "/overview",
    "/papers",
    "/papers?paper=1",
    "/transcribe",
    "/exchange",
    "/people",
    "/unknown",
    "/a/b",
    "/image/page/x/1",
    "/image/figure/x?dpi=150",
    "/image/thumbnail/x",
    "/image/found/x/1/0",
    "/export/run/1",
    "/script/0/transcription/desk.js",
    "/media/0123.png",
    "/_stcore/host-config",
    "/_stcore/metrics",
    "/_stcore/upload_file/session/file",
    "/_stcore/stream",
    "/_stcore/bidi-components/edgewise_doors/x.js",
    "/_stcore/script-health-check",
    "/_stcore/allowed-message-origins",
    "/_stcore/agent/openapi.json",
    "/_stcore/agent/interact",
    "/_stcore/agent/mcp",
    "/component/x/index.html",
    "/static/js/index.js",
    "/app/static/x",
    "/auth/login",
    "/auth/logout",
    "/oauth2callback",
    "/index.html",
    "/favicon.png",
    "/.streamlit/config.toml",
    "/sign-in/",
    "/SIGN-IN",
    "/invitation/",
    "/invitation/a/b",
    "/sign-in/../people",
    "/_stcore/health/",
    "/_stcore/health/../metrics",
    "//_stcore/health",
    "/%5fstcore/metrics",
    "/sign-in%2f..%2fpeople",
    "/static/%2e%2e/settings.py",
    "/ready/",
    "/Ready",
)
SIGNED_IN = ("owner", "annotator", "expert", "reviewer", "researcher")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@pytest.fixture(scope="session")
def client(server: Any) -> Client:
    return Client(server)


@pytest.fixture(scope="session")
def ended(server: Any, client: Client) -> dict[str, str]:
    """For each role the cookie of a session that was signed in and then ended."""
    cookies = {name: client.sign_in(name) for name in server.people}
    server.seed(
        "from store import people as rows, sessions\n"
        "with study.store.writing() as session:\n"
        "    for row in rows.all_people(session): sessions.end_sessions(session, row.id, study.clock())"
    )
    return cookies


@pytest.fixture
def live(client: Client) -> str:
    return client.sign_in("owner")


def assert_closed(client: Client, cookie: str | None) -> None:
    given = {} if cookie is None else {"Cookie": cookie}
    for path in CLOSED:
        status, headers, text = client.ask(path, **given, **HTML)
        assert status == 303, (path, status)
        assert headers["Location"].startswith("/sign-in"), path
        assert text == "", path
        for method in METHODS:
            status, _, text = client.ask(path, method, **given)
            assert (status, text) in ((401, "Sign in first."), (401, "")), (method, path, status)
    status, _, _ = client.ask("/_stcore/stream", **given, **UPGRADE)
    assert status == 403


@pytest.mark.proof("T7", "every path and method without a session", gate="0 answered")
def test_nothing_answers_without_a_session(client: Client, record_property: Callable[[str, object], None]) -> None:
    assert_closed(client, None)
    record_property("repetitions", len(CLOSED) * (1 + len(METHODS)))


def test_nothing_answers_to_a_forged_cookie(client: Client, live: str) -> None:
    name, _, token = live.partition("=")
    assert_closed(client, f"{name}={token[:-1]}{'A' if token[-1] != 'A' else 'B'}")
    for forged in (f"{name}=", f"{name}=' OR 1=1", f"edgewise_other={token}"):
        assert client.ask("/_stcore/host-config", Cookie=forged)[0] == 401


@pytest.mark.parametrize("name", usual(list(SIGNED_IN), *SIGNED_IN[2:]))
def test_nothing_answers_to_an_ended_session(client: Client, ended: dict[str, str], name: str) -> None:
    for path in CLOSED:
        assert client.ask(path, Cookie=ended[name])[0] == 401, path
    assert client.ask("/_stcore/stream", Cookie=ended[name], **UPGRADE)[0] == 403


def test_only_the_doors_and_health_are_open(client: Client) -> None:
    assert client.ask("/_stcore/health")[0] == 200
    assert client.ask("/ready")[::2] == (200, "ready")
    assert client.ask("/sign-in")[0] == 200
    status, _, text = client.ask("/invitation/" + "0" * 64)
    assert (status, "has been used or has expired" in text) == (403, True)
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        assert client.ask("/sign-in", method)[0] == 401
    for path in ("/sign-out", "/open-as-owner"):
        assert client.ask(path, **HTML)[0] == 303
        assert client.ask(path)[0] == 401


def test_a_live_session_opens_streamlit_and_its_websocket(client: Client, live: str) -> None:
    assert client.ask("/_stcore/host-config", Cookie=live)[0] == 200
    assert client.ask("/papers", Cookie=live, **HTML)[0] == 200
    assert client.ask("/_stcore/stream", Cookie=live, Origin=f"http://{client.host}", **UPGRADE)[0] == 101


def test_a_foreign_origin_or_host_is_refused_even_with_a_session(client: Client, live: str) -> None:
    for origin in ("http://elsewhere.example", "null", "http://127.0.0.1:1", f"http://{client.host}.elsewhere.example"):
        assert client.ask("/_stcore/stream", Cookie=live, Origin=origin, **UPGRADE)[0] == 403
        assert client.post("/sign-out", {}, Cookie=live, Origin=origin)[0] == 403
    for host in ("elsewhere.example", f"127.0.0.1.elsewhere.example:{client.port}", "localhost@elsewhere.example", ""):
        assert client.ask("/sign-in", Host=host)[0] == 400, host
        assert client.ask("/_stcore/health", Host=host)[0] == 400
        assert client.ask("/_stcore/stream", Cookie=live, Host=host, **UPGRADE)[0] == 403
    assert client.ask("/_stcore/host-config", Cookie=live, Host=f"localhost:{client.port}")[0] == 200


def test_a_form_without_its_token_or_beyond_its_size_is_refused(client: Client, live: str) -> None:
    cookie, token = client.form()
    fields = {"name": "owner", "password": client.password}
    for form, given in ((token, ""), ("", cookie), ("x" + token, cookie)):
        status, headers, text = client.post("/sign-in", {**fields, "form": form}, Cookie=given)
        assert (status, "This form has expired" in text) == (403, True)
        assert live.partition("=")[0] + "=" not in headers["Set-Cookie"]
    assert client.post("/sign-in", {**fields, "form": token, "next": "x" * 17_000}, Cookie=cookie)[0] == 413
    status, _, text = client.post("/sign-out", {"csrf": "guessed"}, Cookie=live)
    assert (status, "This form has expired" in text) == (403, True)
    assert client.ask("/_stcore/host-config", Cookie=live)[0] == 200


@pytest.mark.proof("T7", "80 posts at once for one name of a served study", gate="at most 5 tried, others let in")
@pytest.mark.skipif(not EVERYTHING, reason="tests/services/people/test_attempts.py")
def test_of_a_burst_of_guesses_five_are_tried_and_nobody_else_is_kept_out(
    start_server: Callable[..., Any], record_property: Callable[[str, object], None]
) -> None:
    client = Client(start_server(**SLOW_PASSWORDS))  # the slower each is checked, the more are checked at once
    live = client.sign_in("owner")
    cookie, token = client.form()
    fields = {"name": f"Guessed {secrets.token_hex(4)}", "password": "not the password", "form": token}
    start = Barrier(81)

    def guess(_number: int) -> tuple[int, str]:
        start.wait()
        status, _, text = client.post("/sign-in", fields, Cookie=cookie)
        return status, text

    with ThreadPoolExecutor(80) as crowd:
        asked = [crowd.submit(guess, number) for number in range(80)]
        start.wait()
        meanwhile = client.ask("/_stcore/host-config", Cookie=live)[0]
        answers = [one.result() for one in asked]
    assert meanwhile == 200
    assert {status for status, _ in answers} <= {403, 503}
    tried = sum("The name or password is wrong." in text for _, text in answers)
    refused = sum("Too many attempts. Try again in" in text for _, text in answers)
    busy = sum(status == 503 and "Try again in 5 seconds" in text for status, text in answers)
    assert 1 <= tried <= 5
    assert tried + refused + busy == 80
    assert client.sign_in("reviewer")  # from the same address
    record_property("repetitions", 80)
    record_property("figure", f"{tried} tried, {refused + busy} refused")


def test_a_study_that_is_not_local_never_opens_by_itself(client: Client) -> None:
    cookie, token = client.form()
    status, _, text = client.post("/open-as-owner", {"form": token}, Cookie=cookie)
    assert (status, "does not open without a password" in text) == (403, True)


def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites(client: Client) -> None:
    cookie, token = client.form()
    fields = {"name": "expert", "password": client.password, "form": token}
    _, headers, _ = client.post("/sign-in", fields, Cookie=cookie)
    session = next(line for line in headers.get_all("Set-Cookie", []) if "_left" not in line).lower()
    assert "; httponly" in session
    assert "; samesite=lax" in session
    assert "; path=/" in session
    assert "secure" not in session  # plain http on loopback; behind a proxy see tests/web/test_hosts.py


def test_every_answer_forbids_framing_sniffing_and_other_machines(client: Client, live: str) -> None:
    answers = {
        "page": client.ask("/papers", Cookie=live, **HTML),
        "asset": client.ask("/favicon.png", Cookie=live),
        "form": client.ask("/sign-in"),
        "closed": client.ask("/_stcore/metrics"),
        "wrong host": client.ask("/", Host="elsewhere.example"),
        "no such image": client.ask("/image/figure/none", Cookie=live),
        "no such script": client.ask("/script/0/none.js", Cookie=live),
    }
    for kind, (_, headers, _) in answers.items():
        policy = headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy, kind
        assert "default-src 'self'" in policy or "default-src 'none'" in policy, kind
        assert "http:" not in policy, kind
        assert "https:" not in policy, kind
        assert "'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0], kind
        assert headers["X-Content-Type-Options"] == "nosniff", kind
        assert headers["Referrer-Policy"] == "same-origin", kind
        assert headers["Cache-Control"] == "no-store", kind


def test_a_components_script_is_kept_by_a_browser_that_is_signed_in(client: Client, live: str) -> None:
    found = re.search(r"/script/[0-9a-f]+", script("transcription/desk.js"))
    assert found is not None
    status, headers, text = client.ask(f"{found[0]}/transcription/desk.js", Cookie=live)
    assert (status, text) == (200, joined("transcription/desk.js"))
    assert headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert headers["X-Content-Type-Options"] == "nosniff"
    status, _, text = client.ask("/script/0000/transcription/desk.js", Cookie=live)
    assert (status, text) == (404, "There is no such script; reload the page.")
    assert client.ask("/script/..%2fserver.py", Cookie=live)[0] == 400


def test_pictures_answer_with_one_sentence_when_there_is_none(client: Client, live: str) -> None:
    assert client.ask("/image/figure/none", Cookie=live)[0] == 404
    assert client.ask("/image/page/none/1", Cookie=live)[0] == 404
    status, _, text = client.ask("/image/page/none/1?dpi=many", Cookie=live)
    assert (status, text) == (422, "dpi is “many”; a whole number is needed.")


def test_a_deep_link_as_the_first_request_of_a_cold_server_opens_its_page(start_server: Callable[..., Any]) -> None:
    cold = start_server()
    with Wire(cold.url, Client(cold).sign_in("annotator")) as wire:
        screen = wire.open("people")
    assert "My account" in [heading.value.body for heading in screen.all("heading")]
    assert screen.menu == MENUS["annotator"]


EVERY_PAGE = (
    "Overview",
    "Papers",
    "Transcribe",
    "Adjudicate",
    "Graphs from texts",
    "Triplets",
    "Texts",
    "Agreement",
    "Runs",
    "Verdicts",
    "Failures",
    "Results",
    "Graph lab",
    "Questions",
    "Releases",
    "Import / export",
)


MENUS = {
    "annotator": ["Overview", "Transcribe", "Graphs from texts", "Texts", "Graph lab", "My account"],
    "expert": ["Overview", "Graphs from texts", "Triplets", "Texts", "Graph lab", "My account"],
    "reviewer": [
        "Overview",
        "Transcribe",
        "Adjudicate",
        "Agreement",
        "Runs",
        "Verdicts",
        "Failures",
        "Results",
        "Graph lab",
        "Questions",
        "Releases",
        "Import / export",
        "My account",
    ],
    "researcher": [*EVERY_PAGE, "My account", "Settings"],
    "owner": [*EVERY_PAGE, "People & study", "Settings"],
}
OTHERS = {
    "annotator": ("papers", "exchange", "runs"),
    "expert": ("transcribe", "agreement", "adjudicate"),
    "reviewer": ("papers", "triplets"),
}


@pytest.mark.parametrize("name", MENUS)
def test_each_role_is_given_its_pages_and_told_when_a_link_leads_to_others(client: Client, name: str) -> None:
    with Wire(f"http://{client.host}", client.sign_in(name)) as wire:
        assert wire.open("").menu == MENUS[name]
        for path in OTHERS.get(name, ()):
            assert [said for said in wire.open(path).alerts if "is for people who may" in said], path


def test_no_part_of_the_owners_page_is_reached_by_its_link(client: Client) -> None:
    with Wire(f"http://{client.host}", client.sign_in("annotator")) as wire:
        for part in ("people", "guidelines"):
            screen = wire.open("people", part=part)
            assert "My account" in [heading.value.body for heading in screen.all("heading")]
            assert not {"Create links", "Save new version"} & {button.label for button in screen.all("button")}
            assert "researcher" not in screen.text


def test_whoever_knows_the_id_of_a_page_does_not_take_it_over(client: Client) -> None:
    url, cookie = f"http://{client.host}", client.sign_in("annotator")
    with Wire(url, cookie) as page:
        page.open("overview")
        with Wire(url, client.sign_in("owner"), page.session) as thief:
            assert "People & study" in thief.open("overview").menu
            assert thief.session != page.session
            assert "People & study" not in page.open("overview").menu, "the page answers on"
        known = page.session
    with Wire(url, cookie, known) as again:
        again.open("overview")
        assert again.session == known, "its own person comes back to it"
