"""Who may speak to the server at all: its own addresses and hosts, and the sites that its pages come from."""

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
    """Raises Refused for an address other machines can reach, unless a proxy with TLS stands in front."""
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
    """The host part of a Host header, or None if it is anything but a name or an address and perhaps a port."""
    found = _HOST.fullmatch(netloc)
    if found is None or int(found["port"] or 0) > 65_535:
        return None
    try:
        return str(ipaddress.IPv6Address(found["ipv6"])) if found["ipv6"] else found["name"].lower().rstrip(".")
    except ValueError:
        return None


def turned_away(scope: Scope, headers: Headers) -> tuple[int, str] | None:
    """Why this request is not even looked at, or None."""
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
    """Host and port of an Origin header, None for what is no address of a site."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc.lower() if parts.scheme in ("http", "https") else None


def is_this_computer(connection: HTTPConnection) -> bool:
    """Whether a local study may open by itself: a browser on this machine, with nothing in between."""
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
    """Where an attempt came from; behind a proxy the last address in the list, the only one the proxy vouches for.

    Of IPv6 the network of 64 bits: whoever has one such address has all of its 2^64.
    """
    forwarded = request.headers.get("x-forwarded-for", "") if SETTINGS.behind_proxy else ""
    return _network(forwarded.rpartition(",")[2].strip() or (request.client.host if request.client else ""))


def _network(address: str) -> str:
    """The address, or its network; some proxies add a port, and a text that is no address stays as it is.

    >>> _network("2001:db8:0:1::7"), _network("[2001:db8:0:1:8::9]:443"), _network("::ffff:192.0.2.1")
    ('2001:db8:0:1::/64', '2001:db8:0:1::/64', '192.0.2.1')
    """
    with_port = _WITH_PORT.fullmatch(address)
    try:
        found = ipaddress.ip_address((with_port[1] or with_port[2]) if with_port else address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.IPv6Network((int(found), 64), strict=False))


def _allowed_hosts() -> list[str]:
    named = SETTINGS.allowed_hosts if SETTINGS.behind_proxy else ()
    return [hostname(host) or hostname(f"[{host}]") or host for host in (*SAFE["server.allowedHosts"], *named)]


HOSTS = tuple(_allowed_hosts())
