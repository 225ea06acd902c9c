"""The HTTP door: every path and the websocket stand behind a signed-in session.

Run with `uvicorn server:app`. Streamlit itself authenticates nothing: uploads, media, metrics and the websocket
answer anyone. So the gate here asks for a session before Streamlit sees a request.
"""

from __future__ import annotations

import base64
import gc
import hashlib
import hmac
import importlib
import ipaddress
import logging
import pkgutil
import re
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.runtime.pages_manager import PagesManager

import pages
from components import doorway
from components.stream import whole_runs_only
from core.errors import BadInput, Conflict, EdgewiseError, Missing, Refused, SignedOut, StoreTrouble
from core.people import Viewer
from services import access, images
from services.study import current_study, open_study, use_study
from settings import Settings, read_settings

LARGEST_FORM = 16_384  # bytes
SIGNED_OUT_LASTS = 12 * 3600  # seconds in which a local study does not open by itself again
SETTINGS = read_settings()

_DOORS = re.compile(r"/sign-in|/sign-out|/open-as-owner|/invitation/[^/]+")
_OPEN = re.compile(
    r"(GET|HEAD|POST) (/sign-in|/invitation/[^/]+)|POST /(sign-out|open-as-owner)|(GET|HEAD) /_stcore/health"
)
_OWN_CACHING = ("/static/", "/image/")  # hashed file names, and pictures that carry their version
_FORWARDED = frozenset(
    {"forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "client-ip", "true-client-ip",
     "cf-connecting-ip", "fastly-client-ip", "x-original-host", "x-host", "x-original-url"}
)  # fmt: skip


# --- who may speak to us at all ---------------------------------------------------------------------------------


def check_address(host: str, settings: Settings) -> None:
    """Raises Refused for an address other machines can reach, unless a proxy with TLS stands in front."""
    if not settings.behind_proxy and not _is_loopback(host):
        raise Refused(
            f"Edgewise does not listen on {host or 'every address'}: passwords would cross the network in clear. "
            "Listen on 127.0.0.1 behind a proxy with TLS, and set EDGEWISE_BEHIND_PROXY=1."
        )


def _is_loopback(host: str | None) -> bool:
    if host in ("localhost", "localhost."):
        return True
    try:
        return ipaddress.ip_address((host or "").strip("[]")).is_loopback
    except ValueError:
        return False


def _allowed_hosts() -> list[str]:
    configured = [str(host).strip("[]").lower() for host in config.get_option("server.allowedHosts")]
    named = SETTINGS.allowed_hosts if SETTINGS.behind_proxy else ()
    return configured + [host.strip("[]").lower() for host in named]


def _hostname(netloc: str) -> str | None:
    """The host part of a Host header, or None if it is malformed."""
    try:
        parts = urlsplit(f"//{netloc}")
        _ = parts.port
    except ValueError:
        return None
    if parts.username or parts.path or parts.query or parts.fragment or not parts.hostname:
        return None
    return parts.hostname.rstrip(".")


def _turned_away(scope: Scope, headers: Headers) -> tuple[int, str] | None:
    """Why this request is not even looked at, or None."""
    arrived_at = (scope.get("server") or (None,))[0]
    if not SETTINGS.behind_proxy and arrived_at is not None and not _is_loopback(arrived_at):
        return 400, "This study is open on its own computer only."
    host = headers.get("host", "")
    if len(headers.getlist("host")) != 1 or _hostname(host) not in HOSTS:
        return 400, "This host name is not served here."
    origin = headers.get("origin")
    is_reading = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
    if origin is not None and not is_reading and urlsplit(origin).netloc.lower() != host.lower():
        return 403, "This request came from another site."
    return None


def _is_this_computer(connection: HTTPConnection) -> bool:
    """Whether a local study may open by itself: a browser on this machine, with nothing in between."""
    headers = connection.headers
    is_forwarded = any(name in _FORWARDED or name.startswith("x-forwarded") for name in headers)
    client = connection.client.host if connection.client else None
    return (
        SETTINGS.is_local
        and not SETTINGS.behind_proxy
        and not is_forwarded
        and _is_loopback(client)
        and _is_loopback(_hostname(headers.get("host", "")))
    )


# --- the gate ---------------------------------------------------------------------------------------------------


class Gate:
    """ASGI middleware in front of everything: host and origin, session, and headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._http(scope, receive, _with_headers(scope, send))

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        if _turned_away(scope, connection.headers) or await _viewer(connection) is None:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
        await self.app(scope, receive, whole_runs_only(send))

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = HTTPConnection(scope)
        refusal = _turned_away(scope, connection.headers)
        if refusal is not None:
            await PlainTextResponse(refusal[1], refusal[0])(scope, receive, send)
            return
        try:
            viewer = await _viewer(connection)
        except StoreTrouble as trouble:
            await PlainTextResponse(str(trouble), 503)(scope, receive, send)
            return
        scope.setdefault("state", {})["viewer"] = viewer
        if viewer is not None or _OPEN.fullmatch(f"{scope['method']} {scope['path']}"):
            await self.app(scope, receive, send)
        elif not _is_navigation(scope, connection.headers):
            await PlainTextResponse("Sign in first.", 401)(scope, receive, send)
        else:
            await (await _let_in(connection))(scope, receive, send)


async def _viewer(connection: HTTPConnection) -> Viewer | None:
    try:
        return await run_in_threadpool(access.viewer_of, connection.cookies.get(current_study().cookie))
    except SignedOut:
        return None


def _is_navigation(scope: Scope, headers: Headers) -> bool:
    mode = headers.get("sec-fetch-mode")
    wants_page = mode == "navigate" if mode else "text/html" in headers.get("accept", "")
    return scope["method"] in ("GET", "HEAD") and wants_page


async def _let_in(connection: HTTPConnection) -> Response:
    """Answer a navigation without a session: the way to the sign-in page, or into a local study."""
    here = _here(connection.scope)
    if _is_this_computer(connection) and _left_cookie() not in connection.cookies:
        try:
            signed_in = await run_in_threadpool(access.sign_in_locally)
        except Missing:
            return _see_other(_sign_in_path(here))
        return _with_session(_see_other(here), connection, signed_in.token)
    return _see_other(_sign_in_path(here))


def _here(scope: Scope) -> str:
    query = scope["query_string"].decode("latin-1")
    return quote(scope["path"], safe="/") + (f"?{query}" if query else "")


def _sign_in_path(here: str) -> str:
    return "/sign-in" if here == "/" else f"/sign-in?next={quote(here, safe='')}"


def same_site_path(wanted: str) -> str:
    """`wanted` if it is a path of this site, else the front page. Browsers read a backslash as a slash."""
    is_path = wanted.startswith("/") and not wanted.startswith("//") and "\\" not in wanted
    is_door = _DOORS.fullmatch(urlsplit(wanted).path) is not None if is_path else True
    return wanted if is_path and not is_door and wanted.isprintable() and wanted.isascii() else "/"


# --- headers of every answer ------------------------------------------------------------------------------------


def _script_hashes() -> str:
    index = Path(st.__file__).parent / "static" / "index.html"
    scripts = re.findall(r"<script>(.*?)</script>", index.read_text(encoding="utf-8"), re.DOTALL)
    hashes = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in hashes)


_APP_POLICY = (
    "default-src 'self'; script-src 'self' blob: " + _script_hashes() + "; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws://{host} wss://{host}; "
    "worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)
_FORM_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


def _with_headers(scope: Scope, send: Send) -> Send:
    host = Headers(scope=scope).get("host", "")
    is_door = _DOORS.fullmatch(scope["path"])
    policy = _FORM_POLICY if is_door else _APP_POLICY.format(host=host if _hostname(host) in HOSTS else "127.0.0.1")

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


# --- the forms --------------------------------------------------------------------------------------------------


async def show_sign_in(request: Request) -> Response:
    next_path = same_site_path(request.query_params.get("next", "/"))
    if request.state.viewer is not None:
        return _see_other(next_path)
    return _sign_in_form(request, next_path)


async def sign_in(request: Request) -> Response:
    fields = await _form(request)
    next_path, name = same_site_path(fields.get("next", "/")), fields.get("name", "")
    try:
        _check_form(request, fields)
        signed_in = await run_in_threadpool(access.sign_in, name, fields.get("password", ""), _address(request))
    except EdgewiseError as error:
        return _sign_in_form(request, next_path, name=name[:80], error=error)
    return _with_session(_see_other(next_path), request, signed_in.token)


def _address(request: Request) -> str:
    """Where an attempt came from; behind a proxy the last address in the list, the only one the proxy vouches for."""
    forwarded = request.headers.get("x-forwarded-for", "") if SETTINGS.behind_proxy else ""
    return forwarded.rpartition(",")[2].strip() or (request.client.host if request.client else "")


async def open_as_owner(request: Request) -> Response:
    fields = await _form(request)
    next_path = same_site_path(fields.get("next", "/"))
    try:
        _check_form(request, fields)
        if not _is_this_computer(request):
            raise Refused("This study does not open without a password here.")
        signed_in = await run_in_threadpool(access.sign_in_locally)
    except EdgewiseError as error:
        return _sign_in_form(request, next_path, error=error)
    return _with_session(_see_other(next_path), request, signed_in.token)


async def sign_out(request: Request) -> Response:
    fields = await _form(request)
    cookie = current_study().cookie
    try:
        await run_in_threadpool(access.sign_out, request.cookies.get(cookie), fields.get("csrf", ""))
    except EdgewiseError as error:
        return _closed_door(error, href="/", link="Back to the study")
    response = _see_other("/sign-in")
    response.delete_cookie(cookie, path="/")
    _set_cookie(response, request, _left_cookie(), "1", max_age=SIGNED_OUT_LASTS)
    return response


async def show_invitation(request: Request) -> Response:
    try:
        offer = await run_in_threadpool(access.invitation, request.path_params["token"])
    except EdgewiseError as error:
        return _closed_door(error, href="/sign-in", link="Sign in")
    return _invitation_form(request, offer)


async def accept_invitation(request: Request) -> Response:
    fields = await _form(request)
    token, name, password = request.path_params["token"], fields.get("name", ""), fields.get("password", "")
    try:
        # Looked up before the costly hash, so that made-up links cost nothing.
        offer = await run_in_threadpool(access.invitation, token)
    except EdgewiseError as error:
        return _closed_door(error, href="/sign-in", link="Sign in")
    try:
        _check_form(request, fields)
        if not hmac.compare_digest(password.encode(), fields.get("again", "").encode()):
            raise BadInput("The two passwords differ. Type the same one twice.")
        signed_in = await run_in_threadpool(access.accept_invitation, token, name, password)
    except EdgewiseError as error:
        return _invitation_form(request, offer, name=name[:80], error=error)
    return _with_session(_see_other("/"), request, signed_in.token)


def _sign_in_form(request: Request, next_path: str, *, name: str = "", error: EdgewiseError | None = None) -> Response:
    def draw(form: str) -> str:
        return doorway.sign_in_page(
            study=current_study().name,
            form=form,
            next_path=next_path,
            offers_owner=_is_this_computer(request),
            name=name,
            fault=str(error or ""),
        )

    return _form_page(request, draw, error)


def _invitation_form(
    request: Request, offer: access.InvitationView, *, name: str = "", error: EdgewiseError | None = None
) -> Response:
    def draw(form: str) -> str:
        return doorway.invitation_page(
            study=current_study().name,
            form=form,
            roles=[role.value for role in offer.roles],
            reset_name=offer.name,
            shortest=access.SHORTEST_PASSWORD,
            name=name,
            fault=str(error or ""),
        )

    return _form_page(request, draw, error)


def _form_page(request: Request, draw: Callable[[str], str], error: EdgewiseError | None) -> Response:
    # One token per browser, not per page: two sign-in tabs must not invalidate each other.
    form = request.cookies.get(_form_cookie()) or secrets.token_urlsafe(24)
    response = HTMLResponse(draw(form), _status(error) if error else 200)
    _set_cookie(response, request, _form_cookie(), form, same_site="strict")
    return response


def _closed_door(error: EdgewiseError, *, href: str, link: str) -> Response:
    study = current_study().name
    page = doorway.message_page(study=study, title="This did not work", fault=str(error), href=href, link=link)
    return HTMLResponse(page, _status(error))


async def _form(request: Request) -> Mapping[str, str]:
    """The fields of a posted form; a body that is no form has none, and so fails the form check."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_FORM:
            raise HTTPException(413, f"The form is larger than {LARGEST_FORM:,} bytes.")
    try:
        return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=20))
    except ValueError:
        return {}


def _check_form(request: Request, fields: Mapping[str, str]) -> None:
    expected, given = request.cookies.get(_form_cookie(), ""), fields.get("form", "")
    if not expected or not hmac.compare_digest(expected.encode(), given.encode()):
        raise Refused("This form is out of date, or cookies are off. Send it again.")


def _status(error: EdgewiseError) -> int:
    kinds: tuple[tuple[type[EdgewiseError], int], ...] = (
        (SignedOut, 401), (Refused, 403), (Missing, 404), (Conflict, 409), (BadInput, 422), (StoreTrouble, 503),
    )  # fmt: skip
    return next((status for kind, status in kinds if isinstance(error, kind)), 500)


# --- cookies ----------------------------------------------------------------------------------------------------


def _form_cookie() -> str:
    return current_study().cookie + "_form"


def _left_cookie() -> str:
    return current_study().cookie + "_left"


def _set_cookie(
    response: Response, connection: HTTPConnection, name: str, value: str, *, max_age: int | None = None, **kind: Any
) -> None:
    is_secure = SETTINGS.behind_proxy or connection.url.scheme == "https"
    same_site = kind.get("same_site", "lax")
    response.set_cookie(name, value, max_age=max_age, path="/", httponly=True, secure=is_secure, samesite=same_site)


def _with_session(response: Response, connection: HTTPConnection, token: str) -> Response:
    _set_cookie(response, connection, current_study().cookie, token)
    response.delete_cookie(_left_cookie(), path="/")
    return response


def _see_other(path: str) -> Response:
    return RedirectResponse(path, 303)


# --- pictures ---------------------------------------------------------------------------------------------------


async def page_image(request: Request) -> Response:
    """A page of a paper, drawn at ?dpi=; with ?v= (its content's version) the browser may keep it."""
    paper_id, page = request.path_params["paper_id"], request.path_params["page"]
    return await _picture(request, lambda viewer, dpi: images.page_image(viewer, paper_id, page, dpi))


async def figure_image(request: Request) -> Response:
    figure_id = request.path_params["figure_id"]
    return await _picture(request, lambda viewer, dpi: images.figure_image(viewer, figure_id, dpi))


async def _picture(request: Request, draw: Callable[[Viewer, int], Path]) -> Response:
    try:
        path = await run_in_threadpool(draw, request.state.viewer, _dpi(request))
    except EdgewiseError as error:
        return PlainTextResponse(str(error), _status(error))
    keep = "private, max-age=86400" + (", immutable" if "v" in request.query_params else "")
    return FileResponse(path, headers={"Cache-Control": keep})


def _dpi(request: Request) -> int:
    asked = request.query_params.get("dpi", "150")
    if not asked.isdecimal() or len(asked) > 4:
        raise BadInput(f"dpi is {asked[:20]!r}; a whole number is needed.")
    return int(asked)


# --- the application --------------------------------------------------------------------------------------------


class _HideTokens(logging.Filter):
    """An invitation's path is its secret until it is used; it does not belong into a log."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                re.sub(r"/invitation/[^\s?]+", "/invitation/…", item) if isinstance(item, str) else item
                for item in record.args
            )
        return True


@asynccontextmanager
async def _lifespan(_app: st.App) -> AsyncIterator[dict[str, Any]]:
    study = await run_in_threadpool(open_study, SETTINGS.store, SETTINGS.home, prestart_readers=True)
    use_study(study)
    for module in pkgutil.iter_modules(pages.__path__):
        importlib.import_module(f"pages.{module.name}")
    # A full collection walks everything Streamlit and pandas import, in the middle of someone's click.
    gc.collect()
    gc.freeze()
    try:
        yield {}
    finally:
        use_study(None)
        study.close()


def _routes() -> list[Route]:
    return [
        Route("/sign-in", show_sign_in, methods=["GET"]),
        Route("/sign-in", sign_in, methods=["POST"]),
        Route("/sign-out", sign_out, methods=["POST"]),
        Route("/open-as-owner", open_as_owner, methods=["POST"]),
        Route("/invitation/{token}", show_invitation, methods=["GET"]),
        Route("/invitation/{token}", accept_invitation, methods=["POST"]),
        Route("/overview", lambda _request: _see_other("/"), methods=["GET"]),  # Streamlit keeps it at the root
        Route("/image/page/{paper_id}/{page:int}", page_image, methods=["GET"]),
        Route("/image/figure/{figure_id}", figure_image, methods=["GET"]),
    ]


logging.getLogger("uvicorn.access").addFilter(_HideTokens())
# A folder named pages/ makes Streamlit run its files as pages until st.navigation has been called once; a deep
# link as the first request of a cold server would then show an empty page under a menu of file names.
PagesManager.uses_pages_directory = False
app = st.App(Path(__file__).with_name("app.py"), routes=_routes(), middleware=[Middleware(Gate)], lifespan=_lifespan)
HOSTS = tuple(_allowed_hosts())
config.set_option("server.allowedHosts", list(HOSTS), "server.py")  # Streamlit checks the websocket's Host again
