"""The forms in front of the study, called without a server: what they say, and what stays in their fields."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from starlette.requests import Request
from starlette.responses import Response

from core.invited import Invited
from core.people import Role, Viewer
from services.people import form_tokens, invitations
from store.tables import new_id
from web import forms
from web.cookies import form_cookie
from web.password_queue import HashTurns

PASSWORD = "a long password"

pytestmark = pytest.mark.usefixtures("sqlite_study")


def posted(path: str, fields: dict[str, str], **path_params: str) -> Request:
    """A form sent by a browser that has loaded it before."""
    token = form_tokens.form_token()
    body = urlencode({"form": token, **fields}).encode()

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    cookie = f"{form_cookie()}={token}".encode()
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "scheme": "http",
        "headers": [(b"host", b"127.0.0.1:8501"), (b"cookie", cookie)],
        "path_params": path_params,
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8501),
        "state": {},
    }
    return Request(scope, receive)


def alert(response: Response) -> str:
    found = re.search(r'role="alert">([^<]*)<', bytes(response.body).decode())
    return html.unescape(found[1]) if found else ""


def name_field(response: Response) -> str:
    found = re.search(r'name="name" value="([^"]*)"', bytes(response.body).decode())
    return html.unescape(found[1]) if found else ""


@pytest.fixture
def link(newcomer: Callable[..., Viewer]) -> str:
    newcomer("Bem", Role.ANNOTATOR)
    return invitations.invite(newcomer("Owner", Role.OWNER), [Invited("", (Role.EXPERT,))], act_id=new_id())[0].token


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("Bern", "The name “Bern” looks like “Bem”, who is in this study; choose another."),
        ("Bem\u200b", "The name contains a character that cannot be seen (U+200B, zero width space) after “Bem”. "),
        (
            "Веm",
            "The word “Веm” mixes Cyrillic and Latin letters: “m” (U+006D) is Latin. Write each word in one script.",
        ),
        ("You", "The name “You” reads as “you”, which screens put in place of a name; choose another."),
        ("Ann " * 30, "The name has 119 characters; a person's name may have at most 80 characters."),
    ],
)
def test_an_invited_person_is_told_why_a_name_is_refused_and_finds_it_as_typed(
    link: str, typed: str, said: str
) -> None:
    def join(name: str) -> Response:
        fields = {"name": name, "password": PASSWORD, "again": PASSWORD}
        return asyncio.run(forms.accept_invitation(posted(f"/invitation/{link}", fields, token=link)))

    answer = join(typed)
    assert answer.status_code == 422
    assert alert(answer).startswith(said)
    assert name_field(answer) == typed
    assert join("Ann").status_code == 303


def test_a_link_for_a_name_offers_it_in_the_form_of_joining_and_a_reset_link_sets_a_password(
    newcomer: Callable[..., Viewer],
) -> None:
    def shown(token: str) -> Response:
        return asyncio.run(forms.show_invitation(posted(f"/invitation/{token}", {}, token=token)))

    owner = newcomer("Owner", Role.OWNER)
    (joining,) = invitations.invite(owner, [Invited("Ann", (Role.EXPERT,))], act_id=new_id())
    assert name_field(shown(joining.token)) == "Ann"
    page = bytes(shown(joining.token).body).decode()
    assert "invited to this study as <strong>expert</strong>. An expert scores extracted triplets." in page
    reset = shown(invitations.reset_link(owner, owner.person_id, act_id=new_id()))
    assert "Choose a new password for <strong>Owner</strong>" in bytes(reset.body).decode()
    assert name_field(reset) == ""


def test_a_long_name_stays_whole_beside_what_is_wrong() -> None:
    fields = {"name": "a" * 200, "password": PASSWORD}
    answer = asyncio.run(forms.sign_in(posted("/sign-in", fields)))
    assert alert(answer) == "The name or password is wrong."
    assert name_field(answer) == "a" * 200


def test_who_cannot_be_served_is_told_when_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "TURNS", HashTurns(most_waiting=0, at_once=1))

    async def tried() -> Response:
        forms.TURNS._free = 0  # another's password is looked at
        return await forms.sign_in(posted("/sign-in", {"name": "Owner", "password": PASSWORD}))

    answer = asyncio.run(tried())
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert alert(answer) == "Many people are signing in right now. Try again in 5 seconds."
    assert name_field(answer) == "Owner"
