"""Forms before the study: signing in and out, opening a local study, accepting an invitation."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response

from components import sign_in_pages
from core.errors import BadInput, Busy, EdgewiseError, Refused
from core.people import ROLES_IN_WORDS
from services.people import access, form_tokens, invitations, passwords
from services.study import current_study
from web.cookies import (
    form_cookie,
    left_cookie,
    see_other,
    session_token,
    set_cookie,
    with_session,
    without_session,
)
from web.error_status import status_of
from web.hosts import address_of, is_this_computer
from web.password_queue import TURNS, Rank
from web.paths import same_site_path

LARGEST_FORM = 16_384  # bytes
LONGEST_SENDING_S = 30
SIGNED_OUT_LASTS = 12 * 3600  # seconds in which a local study does not open by itself again


async def show_sign_in(request: Request) -> Response:
    next_path = same_site_path(request.query_params.get("next", "/"))
    if request.state.viewer is not None:
        return see_other(next_path)
    return _sign_in_form(request, next_path)


async def sign_in(request: Request) -> Response:
    fields = await _form(request)
    next_path, name = same_site_path(fields.get("next", "/")), fields.get("name", "")
    address = address_of(request)
    try:
        _check_form(request, fields)
        login_state = await run_in_threadpool(access.before_sign_in, name, address)
        # Sleep here, where only this request waits, not in a thread.
        await asyncio.sleep(login_state.pause_s)
        rank = Rank.KNOWN if login_state.is_known else Rank.FAILED if login_state.has_failed else Rank.NEW
        signed_in = await TURNS.take(address, rank, access.sign_in, name, fields.get("password", ""), address)
    except EdgewiseError as error:
        return _sign_in_form(request, next_path, name=name, error=error)
    return with_session(see_other(next_path), request, signed_in.token)


async def open_as_owner(request: Request) -> Response:
    fields = await _form(request)
    next_path = same_site_path(fields.get("next", "/"))
    try:
        _check_form(request, fields)
        if not is_this_computer(request):
            raise Refused("This study does not open without a password here.")
        signed_in = await run_in_threadpool(access.sign_in_locally)
    except EdgewiseError as error:
        return _sign_in_form(request, next_path, error=error)
    return with_session(see_other(next_path), request, signed_in.token)


async def sign_out(request: Request) -> Response:
    fields = await _form(request)
    try:
        await run_in_threadpool(access.sign_out, session_token(request.cookies), fields.get("csrf", ""))
    except EdgewiseError as error:
        return _closed_page(error, href="/", link="Back to the study")
    response = without_session(see_other("/sign-in"), request)
    set_cookie(response, request, left_cookie(), "1", max_age=SIGNED_OUT_LASTS)
    return response


async def show_invitation(request: Request) -> Response:
    try:
        offer = await run_in_threadpool(invitations.invitation, request.path_params["token"])
    except EdgewiseError as error:
        return _closed_page(error, href="/sign-in", link="Sign in")
    return _invitation_form(request, offer)


async def accept_invitation(request: Request) -> Response:
    fields = await _form(request)
    token, name, password = request.path_params["token"], fields.get("name", ""), fields.get("password", "")
    try:
        # Looked up before the costly hash, so that made-up links cost nothing.
        offer = await run_in_threadpool(invitations.invitation, token)
    except EdgewiseError as error:
        return _closed_page(error, href="/sign-in", link="Sign in")
    try:
        _check_form(request, fields)
        if not hmac.compare_digest(password.encode(), fields.get("again", "").encode()):
            raise BadInput("The two passwords differ. Type the same password twice.")
        line = f"invitation {token}"  # one turn at a time per link, from any address
        signed_in = await TURNS.take(line, Rank.KNOWN, invitations.accept_invitation, token, name, password)
    except EdgewiseError as error:
        return _invitation_form(request, offer, name=name, error=error)
    return with_session(see_other("/"), request, signed_in.token)


def _sign_in_form(request: Request, next_path: str, *, name: str = "", error: EdgewiseError | None = None) -> Response:
    def draw(form: str) -> str:
        return sign_in_pages.sign_in_page(
            study=current_study().title,
            form=form,
            next_path=next_path,
            offers_owner=is_this_computer(request),
            name=name,
            fault=str(error or ""),
        )

    return _form_page(request, draw, error)


def _invitation_form(
    request: Request, offer: invitations.InvitationView, *, name: str = "", error: EdgewiseError | None = None
) -> Response:
    def draw(form: str) -> str:
        return sign_in_pages.invitation_page(
            study=current_study().title,
            form=form,
            roles={role.value: ROLES_IN_WORDS[role] for role in offer.roles},
            reset_name="" if offer.roles else offer.name,
            shortest=passwords.SHORTEST,
            name=name if error else offer.name,
            fault=str(error or ""),
        )

    return _form_page(request, draw, error)


def _form_page(request: Request, draw: Callable[[str], str], error: EdgewiseError | None) -> Response:
    # One token per browser, not per page: two sign-in tabs must not invalidate each other.
    token = request.cookies.get(form_cookie(), "")
    form = token if form_tokens.is_form_token(token) else form_tokens.form_token()
    response = HTMLResponse(draw(form), status_of(error) if error else 200)
    if isinstance(error, Busy):
        response.headers["Retry-After"] = str(error.again_s)
    set_cookie(response, request, form_cookie(), form, same_site="strict")
    return response


def _closed_page(error: EdgewiseError, *, href: str, link: str) -> Response:
    study = current_study().title
    page = sign_in_pages.message_page(study=study, title="This did not work", fault=str(error), href=href, link=link)
    return HTMLResponse(page, status_of(error))


async def _form(request: Request) -> Mapping[str, str]:
    """Return the fields of a posted form; a body that is no form has none, and fails the form check."""
    try:
        body = await asyncio.wait_for(_body(request), LONGEST_SENDING_S)
    except TimeoutError:
        raise HTTPException(408, f"The form did not arrive within {LONGEST_SENDING_S} seconds.") from None
    except ClientDisconnect:
        raise HTTPException(400, "Only part of the form arrived. Send it again.") from None
    try:
        return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=20))
    except ValueError:
        return {}


async def _body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_FORM:
            raise HTTPException(413, f"The form is larger than {LARGEST_FORM:,} bytes.")
    return body


def _check_form(request: Request, fields: Mapping[str, str]) -> None:
    expected, submitted = request.cookies.get(form_cookie(), ""), fields.get("form", "")
    if not form_tokens.is_form_token(expected) or not hmac.compare_digest(expected.encode(), submitted.encode()):
        raise Refused("This form has expired, or cookies are off. Allow cookies if they are off, then send it again.")
