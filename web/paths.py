"""Paths that are open without a session, and redirects after signing in."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from starlette.types import Scope

DOORS = re.compile(r"/sign-in|/sign-out|/open-as-owner|/invitation/[^/]+")


def here_of(scope: Scope) -> str:
    query = scope["query_string"].decode("latin-1")
    return quote(scope["path"], safe="/") + (f"?{query}" if query else "")


def sign_in_path(path: str) -> str:
    return "/sign-in" if path == "/" else f"/sign-in?next={quote(path, safe='')}"


def same_site_path(path: str) -> str:
    """Return the path if it is one of this site, else "/". Browsers read a backslash as a slash."""
    is_path = path.startswith("/") and not path.startswith("//") and "\\" not in path
    is_sign_in = DOORS.fullmatch(urlsplit(path).path) is not None if is_path else True
    return path if is_path and not is_sign_in and path.isprintable() and path.isascii() else "/"
