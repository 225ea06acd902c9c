"""Cookies of the session, of forms and of signing out, and redirects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

from services.study import current_study
from web import hosts


def session_cookie() -> str:
    return _named(current_study().cookie)


def form_cookie() -> str:
    return _named(current_study().cookie + "_form")


def left_cookie() -> str:
    return _named(current_study().cookie + "_left")


def session_token(cookies: Mapping[str, str]) -> str | None:
    return cookies.get(session_cookie())


def set_cookie(
    response: Response, connection: HTTPConnection, name: str, value: str, *, max_age: int | None = None, **kind: Any
) -> None:
    same_site = kind.get("same_site", "lax")
    response.set_cookie(
        name, value, max_age=max_age, path="/", httponly=True, secure=_is_secure(connection), samesite=same_site
    )


def with_session(response: Response, connection: HTTPConnection, token: str) -> Response:
    set_cookie(response, connection, session_cookie(), token)
    _drop(response, connection, left_cookie())
    return response


def without_session(response: Response, connection: HTTPConnection) -> Response:
    _drop(response, connection, session_cookie())
    return response


def _named(name: str) -> str:
    """Return the cookie name; behind TLS with the prefix under which browsers let no other host or plain HTTP page
    set it."""
    return f"__Host-{name}" if hosts.SETTINGS.behind_proxy else name


def _is_secure(connection: HTTPConnection) -> bool:
    return hosts.SETTINGS.behind_proxy or connection.url.scheme == "https"


def _drop(response: Response, connection: HTTPConnection, name: str) -> None:
    response.delete_cookie(name, path="/", httponly=True, secure=_is_secure(connection))


def see_other(path: str) -> Response:
    return RedirectResponse(path, 303)
