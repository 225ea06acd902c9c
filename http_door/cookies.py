"""The cookies of a session, of a form, and of having left; and answers that lead on."""

from __future__ import annotations

from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

from http_door import hosts
from services.study import current_study


def form_cookie() -> str:
    return current_study().cookie + "_form"


def left_cookie() -> str:
    return current_study().cookie + "_left"


def set_cookie(
    response: Response, connection: HTTPConnection, name: str, value: str, *, max_age: int | None = None, **kind: Any
) -> None:
    is_secure = hosts.SETTINGS.behind_proxy or connection.url.scheme == "https"
    same_site = kind.get("same_site", "lax")
    response.set_cookie(name, value, max_age=max_age, path="/", httponly=True, secure=is_secure, samesite=same_site)


def with_session(response: Response, connection: HTTPConnection, token: str) -> Response:
    set_cookie(response, connection, current_study().cookie, token)
    response.delete_cookie(left_cookie(), path="/")
    return response


def see_other(path: str) -> Response:
    return RedirectResponse(path, 303)
