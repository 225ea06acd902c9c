"""Accepted hosts and origins: the server's addresses and names, and the sites of its pages."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import Scope

from core.errors import Refused
from settings import Settings, read_settings
from web.streamlit_settings import SAFE

SETTINGS = read_settings()

_FORWARDED = frozenset(
    {
        "forwarded",
        "via",
        "x-real-ip",
        "x-client-ip",
        "x-cluster-client-ip",
        "client-ip",
        "true-client-ip",
        "cf-connecting-ip",
        "fastly-client-ip",
        "x-original-host",
        "x-host",
        "x-original-url",
    }
)
_LABEL = "[0-9A-Za-z_-]{1,63}"
_WITH_PORT = re.compile(r"\[([0-9A-Fa-f:.]{2,45})\](?::[0-9]{1,5})?|([0-9.]{7,15}):[0-9]{1,5}")
_HOST = re.compile(
    rf"(?:(?P<name>{_LABEL}(?:\.{_LABEL}){{0,31}}\.?)|\[(?P<ipv6>[0-9A-Fa-f:.]{{2,45}})\])(?::(?P<port>[0-9]{{1,5}}))?"
)


def check_address(host: str, settings: Settings) -> None:
    """Raises Refused for an address that other machines can reach, unless a proxy with TLS is in front."""
    if not settings.behind_proxy and not is_loopback(host):
        raise Refused(
            f"Edgewise does not listen on {host or 'every address'}: passwords would cross the network unencrypted. "
            "Listen on 127.0.0.1 behind a proxy with TLS, and set EDGEWISE_BEHIND_PROXY=1."
        )


def is_loopback(host: str | None) -> bool:
    if host in ("localhost", "localhost."):
        return True
    try:
        return ipaddress.ip_address((host or "").strip("[]")).is_loopback
    except ValueError:
        return False


def hostname(netloc: str) -> str | None:
    """Return the host of a Host header, None if it is not a name or address with an optional port."""
    match = _HOST.fullmatch(netloc)
    if match is None or int(match["port"] or 0) > 65_535:
        return None
    try:
        return str(ipaddress.IPv6Address(match["ipv6"])) if match["ipv6"] else match["name"].lower().rstrip(".")
    except ValueError:
        return None


def turned_away(scope: Scope, headers: Headers) -> tuple[int, str] | None:
    """Return the status and reason for rejecting a request, or None."""
    arrived_at = (scope.get("server") or (None,))[0]
    if not SETTINGS.behind_proxy and arrived_at is not None and not is_loopback(arrived_at):
        return 400, "This study can be opened only on its own computer."
    host = headers.get("host", "")
    if len(headers.getlist("host")) != 1 or hostname(host) not in HOSTS:
        return 400, "This host name is not served here."
    origin = headers.get("origin")
    is_reading = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
    if origin is not None and not is_reading and _netloc(origin) != host.lower():
        return 403, "This request came from another site."
    return None


def _netloc(origin: str) -> str | None:
    """Return host and port of an Origin header, None if it is no web address."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc.lower() if parts.scheme in ("http", "https") else None


def is_this_computer(connection: HTTPConnection) -> bool:
    """Return True if a local study may open without a form: for a browser on this machine, without a proxy."""
    headers = connection.headers
    is_forwarded = any(name in _FORWARDED or name.startswith("x-forwarded") for name in headers)
    client = connection.client.host if connection.client else None
    return (
        SETTINGS.is_local
        and not SETTINGS.behind_proxy
        and not is_forwarded
        and is_loopback(client)
        and is_loopback(hostname(headers.get("host", "")))
    )


def address_of(request: HTTPConnection) -> str:
    """Return the client's address; behind a proxy the last one in the list, the only one the proxy vouches for. Of
    IPv6 the /64 network: its owner controls all 2^64 addresses."""
    forwarded = request.headers.get("x-forwarded-for", "") if SETTINGS.behind_proxy else ""
    return _network(forwarded.rpartition(",")[2].strip() or (request.client.host if request.client else ""))


def _network(address: str) -> str:
    """Return the address, or its network; a port is dropped, and text that is no address is returned unchanged.

    >>> _network("2001:db8:0:1::7"), _network("[2001:db8:0:1:8::9]:443"), _network("::ffff:192.0.2.1")
    ('2001:db8:0:1::/64', '2001:db8:0:1::/64', '192.0.2.1')
    """
    with_port = _WITH_PORT.fullmatch(address)
    try:
        parsed = ipaddress.ip_address((with_port[1] or with_port[2]) if with_port else address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or ipaddress.IPv6Network((int(parsed), 64), strict=False))


def _allowed_hosts() -> list[str]:
    named = SETTINGS.allowed_hosts if SETTINGS.behind_proxy else ()
    return [hostname(host) or hostname(f"[{host}]") or host for host in (*SAFE["server.allowedHosts"], *named)]


HOSTS = tuple(_allowed_hosts())
