"""Ways through the doors: which paths are doors, and where a person goes on to."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from starlette.types import Scope

DOORS = re.compile(r"/sign-in|/sign-out|/open-as-owner|/invitation/[^/]+")


def here_of(scope: Scope) -> str:
    query = scope["query_string"].decode("latin-1")
    return quote(scope["path"], safe="/") + (f"?{query}" if query else "")


def sign_in_path(here: str) -> str:
    return "/sign-in" if here == "/" else f"/sign-in?next={quote(here, safe='')}"


def same_site_path(wanted: str) -> str:
    """`wanted` if it is a path of this site, else the front page. Browsers read a backslash as a slash."""
    is_path = wanted.startswith("/") and not wanted.startswith("//") and "\\" not in wanted
    is_door = DOORS.fullmatch(urlsplit(wanted).path) is not None if is_path else True
    return wanted if is_path and not is_door and wanted.isprintable() and wanted.isascii() else "/"
