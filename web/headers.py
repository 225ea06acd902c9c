"""Security and caching headers of every answer."""

from __future__ import annotations

import base64
import hashlib

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Scope, Send

from web.hosts import HOSTS, hostname
from web.paths import DOORS
from web.streamlit_page import FIRST_PAGE

_OWN_CACHING = ("/static/", "/script/", "/image/", "/text/")  # their names contain a hash or version


def _script_hashes() -> str:
    _, *opened = FIRST_PAGE.decode().split("<script>")
    scripts = (rest.partition("</script>")[0] for rest in opened)
    hashes = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in hashes)


_APP_POLICY = (
    "default-src 'self'; script-src 'self' blob: " + _script_hashes() + "; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws://{host} wss://{host}; "
    "worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)
_FORM_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)


def with_headers(scope: Scope, send: Send) -> Send:
    host = Headers(scope=scope).get("host", "")
    is_sign_in = DOORS.fullmatch(scope["path"])
    policy = _FORM_POLICY if is_sign_in else _APP_POLICY.format(host=host if hostname(host) in HOSTS else "127.0.0.1")

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["Content-Security-Policy"] = policy
            headers["X-Content-Type-Options"] = "nosniff"
            headers["X-Frame-Options"] = "DENY"
            headers["Referrer-Policy"] = "same-origin"
            headers["Cross-Origin-Opener-Policy"] = "same-origin"
            headers["Cross-Origin-Resource-Policy"] = "same-origin"
            if not scope["path"].startswith(_OWN_CACHING) or message["status"] >= 400:
                headers["Cache-Control"] = "no-store"
        await send(message)

    return send_with_headers
