"""Signing in and out as a person does it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.lists import tick
from tests.browser.plain_http import HTML, Client
from tests.browser.profiles import emptied
from tests.browser.walking import walk

COUNT_INVITATIONS = """
from sqlmodel import select
from store.tables import InvitationRow
with study.store.reading() as session:
    print(len(session.exec(select(InvitationRow)).all()))
"""


@pytest.fixture(scope="module")
def local_server(start_server: Callable[..., Any]) -> Any:
    return start_server(EDGEWISE_LOCAL="1")


def fill(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def test_after_a_wrong_password_signing_in_returns_to_the_page_and_query_that_was_asked_for(
    server: Any, new_page: Callable[..., Page], settled: Callable[[Page], None], watch: Any
) -> None:
    watch.expected.append("403")
    page = new_page(server, width=390, height=844)
    page.goto("/people?part=guidelines")
    assert page.url == f"{server.url}/sign-in?next=%2Fpeople%3Fpart%3Dguidelines"
    fill(page, "owner", "not the password")
    expect(page.get_by_role("alert")).to_have_text("The name or password is wrong.")
    expect(page.get_by_label("Name")).to_have_value("owner")
    expect(page.get_by_label("Password")).to_have_value("")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    fill(page, "owner", server.password)
    settled(page)
    assert page.url == f"{server.url}/people?part=guidelines"
    expect(page.get_by_role("button", name="Save new version")).to_be_visible()


def test_behind_a_proxy_the_session_is_a_cookie_of_this_host_alone(start_server: Callable[..., Any]) -> None:
    client = Client(start_server(EDGEWISE_BEHIND_PROXY="1"))
    cookie, token = client.form()
    fields = {"name": "expert", "password": client.password, "form": token}
    status, headers, _ = client.post("/sign-in", fields, Cookie=cookie)
    assert (status, headers["Location"]) == (303, "/")
    (given,) = (line for line in headers.get_all("Set-Cookie", []) if "Max-Age=0" not in line)  # others are taken away
    assert given.startswith("__Host-edgewise_")
    assert "; secure" in given.lower()
    session = given.partition(";")[0]
    assert client.ask("/people?part=account", Cookie=session, **HTML)[0] == 200


@pytest.mark.parametrize("target", ["//elsewhere.example/", "https://elsewhere.example/", "/\\elsewhere.example"])
def test_a_next_that_leads_elsewhere_is_ignored(server: Any, target: str) -> None:
    client = Client(server)
    cookie, token = client.form()
    fields = {"name": "expert", "password": server.password, "form": token, "next": target}
    status, headers, _ = client.post("/sign-in", fields, Cookie=cookie)
    assert (status, headers["Location"]) == (303, "/")


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "X-Forwarded-Host"])
def test_a_local_study_stays_shut_when_something_stands_in_between(local_server: Any, header: str) -> None:
    client = Client(local_server)
    between = {header: "127.0.0.1"}
    status, headers, _ = client.ask("/", **between, **HTML)
    assert (status, headers["Location"]) == (303, "/sign-in")
    status, _, text = client.ask("/sign-in", **between, **HTML)
    assert (status, "Open as owner" in text) == (200, False)
    assert "Open as owner" in client.ask("/sign-in", **HTML)[2]  # straight from this computer


def test_the_owner_of_a_local_study_works_as_a_demo_person_and_back_and_it_stays_shut_after_signing_out(
    local_server: Any, new_page: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    local_server.seed(
        "with study.store.writing() as session:\n"
        "    row = access.new_person(session, 'Demo <b>annotator</b>', [Role.ANNOTATOR], study.clock(), is_demo=True)"
    )
    page = new_page(local_server)
    page.goto("/people")
    settled(page)
    page.get_by_role("button", name="Work as Demo <b>annotator</b>").click()
    banner = page.get_by_text("You are working as Demo <b>annotator</b>")
    expect(banner).to_be_visible()
    menu = page.get_by_role("navigation", name="Pages")
    papers = menu.get_by_role("link", name="Papers")  # the overview links there too
    expect(papers).to_have_count(0)
    page.get_by_role("button", name="Back to owner").click()
    expect(banner).to_have_count(0)
    the_menu_leads_on_and_closes_on_a_phone(page, papers)
    walk(page, "/people?part=account")
    note = page.get_by_text("Local study: everyone at this computer is the owner.")
    expect(note).to_be_visible()
    page.get_by_role("button", name="Dismiss").click()
    expect(note).to_have_count(0)
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("button", name="Open as owner")).to_be_visible()
    page.goto("/people")
    assert "/sign-in" in page.url
    page.get_by_role("button", name="Open as owner").click()
    settled(page)
    assert page.url == f"{local_server.url}/people"


def test_an_invited_person_joins_once_by_the_link(
    server: Any,
    page_as: Callable[..., Page],
    settled: Callable[[Page], None],
) -> None:
    owner = page_as("owner", "/people")
    tick(owner, owner.get_by_label("Role of lines without one"), "expert")
    owner.get_by_role("button", name="Create links").dblclick()
    message = owner.get_by_text(re.compile(r"/invitation/[0-9a-f]{64}")).inner_text()
    link = next(word for word in message.split() if "/invitation/" in word)
    assert server.seed(COUNT_INVITATIONS) == "1"  # from a double click
    guest = owner
    guest.context.clear_cookies()
    assert emptied(guest)
    guest.goto(link)
    expect(guest.get_by_text("You are invited to this study as expert. An expert scores")).to_be_visible()
    guest.get_by_label("Name").fill("The invited")
    guest.get_by_label("Password", exact=True).fill("my new password")
    guest.get_by_label("Repeat password").fill("my new password")
    guest.get_by_role("button", name="Join the study").click()
    settled(guest)
    expect(guest.get_by_text("The invited · expert")).to_be_visible()
    status, _, text = Client(server).ask(urlsplit(link).path)
    assert (status, "has been used or has expired" in text) == (403, True)


def the_menu_leads_on_and_closes_on_a_phone(page: Page, papers: Locator) -> None:
    wide = page.viewport_size
    assert wide is not None
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_test_id("stExpandSidebarButton").click()
    papers.click()
    expect(page).to_have_url(re.compile("/papers$"))
    expect(papers).to_have_attribute("aria-current", "page")
    expect(papers).not_to_be_in_viewport()
    note = page.get_by_text("Local study: everyone at this computer is the owner.").bounding_box()
    assert note is not None and note["y"] + note["height"] <= 90, "the menu's button and the note, a line each"
    page.set_viewport_size(wide)
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(papers).to_be_in_viewport()
