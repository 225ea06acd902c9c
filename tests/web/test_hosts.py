"""Decisions of the HTTP door that need no running server: hosts, ways onwards, cookies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from starlette.responses import Response

from core.errors import Refused
from settings import Settings
from web import hosts
from web.cookies import set_cookie
from web.hosts import address_of, check_address, is_this_computer, turned_away
from web.paths import same_site_path

PLAIN = Settings(home=Path("home"), store="store", port=8501, is_local=False, behind_proxy=False)


def connection(
    client: str = "127.0.0.1", host: str = "127.0.0.1:8501", scheme: str = "http", **headers: str
) -> HTTPConnection:
    named = {"host": host, **{name.replace("_", "-"): value for name, value in headers.items()}}
    raw = [(name.lower().encode(), value.encode()) for name, value in named.items()]
    scope: Mapping[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "query_string": b"",
        "scheme": scheme,
        "headers": raw,
        "client": (client, 50_000),
        "server": ("127.0.0.1", 8501),
    }
    return HTTPConnection(dict(scope))


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    return lambda **changed: monkeypatch.setattr(hosts, "SETTINGS", replace(PLAIN, **changed))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "localhost", "::1", "[::1]"])
def test_loopback_addresses_may_be_listened_on(host: str) -> None:
    check_address(host, PLAIN)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "", "192.168.1.5", "10.0.0.1", "edgewise.example", "127.0.0.1.example"]
)
def test_other_addresses_are_refused_unless_a_proxy_stands_in_front(host: str) -> None:
    with pytest.raises(Refused, match="EDGEWISE_BEHIND_PROXY=1"):
        check_address(host, PLAIN)
    check_address(host, replace(PLAIN, behind_proxy=True))


@pytest.mark.parametrize(
    "wanted", ["/", "/papers", "/people?part=guidelines&x=%2F%2F", "/a/b?next=http://elsewhere.example"]
)
def test_a_path_of_this_site_is_kept(wanted: str) -> None:
    assert same_site_path(wanted) == wanted


@pytest.mark.parametrize(
    "wanted",
    [
        "",
        "papers",
        "//elsewhere.example",
        "https://elsewhere.example",
        "/\\elsewhere.example",
        "/a\\b",
        "javascript:0",
        "/a\r\nSet-Cookie: x=1",
        "/\t/elsewhere.example",
        "/sign-in",
        "/sign-out",
        "/invitation/abc",
        "/ü",
    ],
)
def test_any_other_way_onwards_leads_to_the_front_page(wanted: str) -> None:
    assert same_site_path(wanted) == "/"


def test_a_local_study_opens_by_itself_on_loopback(use: Callable[..., None]) -> None:
    use(is_local=True)
    for host in ("127.0.0.1:8501", "localhost:8501", "[::1]:8501"):
        assert is_this_computer(connection(host=host))
    assert is_this_computer(connection(client="::1"))


def test_a_local_study_opens_for_nobody_else(use: Callable[..., None]) -> None:
    use(is_local=True)
    assert not is_this_computer(connection(client="192.168.1.5"))
    assert not is_this_computer(connection(host="edgewise.example"))
    for header in ("Forwarded", "X_Forwarded_For", "X_Forwarded_Anything", "X_Real_IP", "Via", "CF_Connecting_IP"):
        assert not is_this_computer(connection(**{header: "127.0.0.1"})), header
    use(is_local=True, behind_proxy=True)
    assert not is_this_computer(connection())
    use()
    assert not is_this_computer(connection())


def test_cookies_are_secure_over_https_and_behind_a_proxy(use: Callable[..., None]) -> None:
    def cookie(scheme: str) -> str:
        response = Response()
        set_cookie(response, connection(scheme=scheme), "name", "value")
        return response.headers["set-cookie"]

    use()
    assert "Secure" not in cookie("http")
    assert "Secure" in cookie("https")
    use(behind_proxy=True)
    assert "Secure" in cookie("http")


def test_only_the_address_the_proxy_added_is_believed(use: Callable[..., None]) -> None:
    asked = connection(X_Forwarded_For="203.0.113.9, 198.51.100.7")
    use()
    assert address_of(asked) == "127.0.0.1"
    use(behind_proxy=True)
    assert address_of(asked) == "198.51.100.7"


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        ("2001:db8:0:1::7", "2001:db8:0:1::/64"),
        ("2001:0DB8:0:1:ffff::9", "2001:db8:0:1::/64"),
        ("[2001:db8:0:1::7]:4321", "2001:db8:0:1::/64"),
        ("2001:db8:0:2::7", "2001:db8:0:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:4321", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1"),
        ("unknown", "unknown"),
    ],
)
def test_an_address_is_counted_once_however_written_and_of_ipv6_its_network(
    client: str, counted: str, use: Callable[..., None]
) -> None:
    use(behind_proxy=True)
    assert address_of(connection(X_Forwarded_For=client)) == counted


def test_a_request_that_arrived_from_the_network_is_turned_away(use: Callable[..., None]) -> None:
    use()
    arrived = connection()
    arrived.scope["server"] = ("192.168.1.5", 8501)
    assert turned_away(arrived.scope, arrived.headers) == (400, "This study can be opened only on its own computer.")
    use(behind_proxy=True)
    assert turned_away(arrived.scope, arrived.headers) is None


def test_two_hosts_or_a_malformed_one_are_turned_away(use: Callable[..., None]) -> None:
    use()
    for host in (
        "",
        "elsewhere.example",
        "127.0.0.1:port",
        "user@127.0.0.1",
        "127.0.0.1/path",
        "127.0.0.1?x",
        ":; script-src *; @127.0.0.1",
        "127.0.0.1?",
        "127.0.0.1#",
        "@127.0.0.1",
        "127.0.0.1..",
        "127.0.0.1 ",
        " 127.0.0.1",
        "127.0.0.1\t",
        "127.0.0.1;",
        "127.0.0.1:80:80",
        "127.0.0.1:99999",
        "127.0.0.1,x",
        "[127.0.0.1]",
        "::1",
        "[::1",
        "[::1]x",
        "[::1%eth0]",
        ".127.0.0.1",
        "\u0661.0.0.1",
    ):
        asked = connection(host=host)
        assert turned_away(asked.scope, asked.headers) == (400, "This host name is not served here."), host
    for host in ("127.0.0.1", "LOCALHOST", "localhost.", "[::1]:8501", "[0:0:0:0:0:0:0:1]", "127.0.0.1:65535"):
        asked = connection(host=host)
        assert turned_away(asked.scope, asked.headers) is None, host
    twice = connection()
    twice.scope["headers"].append((b"host", b"elsewhere.example"))
    assert turned_away(twice.scope, twice.headers) is not None


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "x://127.0.0.1:8501", "//127.0.0.1:8501", "null"])
def test_an_origin_that_is_no_address_of_a_site_is_another_site(origin: str) -> None:
    scope = {**connection(origin=origin).scope, "method": "POST"}
    assert turned_away(scope, HTTPConnection(scope).headers) == (403, "This request came from another site.")
