"""People & study in a browser: hostile text stays text, typed text survives, two owners do not overwrite each other."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.lists import tick

HOSTILE = (
    "![x](https://evil.example/a.png) <img src=https://evil.example/b.png onerror=alert(1)> [l](https://evil.example) "
    "https://evil.example www.evil.example a@evil.example :smile: :material/home: :red[hi] <script>alert(1)</script>"
)


def type_guidelines(page: Page, text: str) -> None:
    page.get_by_label("Text (Markdown)").fill(text)
    page.keyboard.press("Control+Enter")


def test_guidelines_show_text_as_typed_and_two_owners_writing_them_meet_in_a_conflict_and_lose_nothing(
    page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    first = page_as("owner", "/people?part=guidelines")
    they_show_structure_and_hostile_text_as_typed(first, settled)
    second = first.context.new_page()
    second.goto(first.url)
    settled(second)
    type_guidelines(first, "The first text")
    first.get_by_role("button", name="Save new version").dblclick()
    saved = first.get_by_text(re.compile(r"Saved \d\d:\d\d:\d\d · version \d+"))
    expect(saved).to_be_visible()
    version = int(saved.inner_text().rpartition(" ")[2])  # others of this server's tests may have written some before
    settled(first)  # the second click of the two is answered too, and empties the draft that the two tabs share
    type_guidelines(second, "The second text")
    second.get_by_role("button", name="Save new version").click()
    expect(second.get_by_text("Someone has saved a newer version of the guidelines.")).to_be_visible()
    expect(second.get_by_label("Text (Markdown)")).to_have_value("The second text")
    second.get_by_role("button", name="Load newer version").click()
    expect(second.get_by_text("no version yet")).to_have_count(0)
    settled(second)
    expect(second.get_by_label("Text (Markdown)")).to_have_value("The second text")
    expect(second.get_by_test_id("stMarkdown").get_by_text("The first text")).to_be_visible()
    second.get_by_role("button", name="Save new version").click()
    expect(second.get_by_text(re.compile(f"version {version + 1}$"))).to_be_visible()


def they_show_structure_and_hostile_text_as_typed(page: Page, settled: Callable[[Page], None]) -> None:
    type_guidelines(page, f"# Signs and {HOSTILE}\n\n- one **bold** word\n- {HOSTILE}\n")
    main = page.get_by_test_id("stMain")
    expect(main.get_by_role("heading", name="Signs and")).to_be_visible()
    expect(main.locator("strong", has_text="bold")).to_be_visible()
    expect(main.locator("li", has_text="![x](")).to_be_visible()
    assert (
        main.locator("img, script, a:not([href^='#'])").evaluate_all("found => found.map(one => one.outerHTML)") == []
    )
    page.reload()
    settled(page)
    assert page.get_by_label("Text (Markdown)").input_value().startswith("# Signs and ![x](https://evil.example/a.png)")
    type_guidelines(page, "")


def test_the_owner_lifts_a_lock_after_wrong_passwords_changes_roles_and_undoes_a_deactivation(
    server: Any, page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    who = server.seed(
        "from core.errors import Refused\n"
        "with study.store.writing() as session:\n"
        "    row = access.new_person(session, given['name'], [Role.EXPERT], study.clock())\n"
        "for _ in range(7):\n"
        "    try: access.sign_in(given['name'], 'not the password', '192.0.2.1')\n"
        "    except Refused: pass\n"
        "print(row.id)",
        name=HOSTILE[:70],
    )
    page = page_as("owner", f"/people?person={who}", width=1440, height=900)
    table = page.locator(".dvn-scroller").first
    expect(table).to_be_visible()
    assert table.evaluate("one => one.scrollWidth <= one.clientWidth")  # no column is cut off
    a_lock_is_lifted(page, settled)
    tick(page, page.get_by_label("Roles").nth(1), "reviewer")
    page.get_by_role("button", name="Save roles").click()
    expect(page.get_by_text(re.compile(r"Saved \d\d:\d\d:\d\d"))).to_be_visible()
    for word in ("Deactivate", "Reactivate"):
        settled(page)
        page.get_by_role("button", name="More").click()
        page.get_by_text(word, exact=True).click()
        expect(page.get_by_text("Deactivated: signed out everywhere")).to_have_count(1 if word == "Deactivate" else 0)
    settled(page)
    found = server.seed(
        "row = next(row for row in people.list_people(terminal) if row.id == given['id'])\n"
        "print(row.is_active, *row.roles, row.version)",
        id=who,
    )
    assert found == "True expert reviewer 4"


def a_lock_is_lifted(page: Page, settled: Callable[[Page], None]) -> None:
    caption = page.get_by_text(re.compile(r"Too many wrong passwords: sign-in is locked until \d\d:\d\d:\d\d"))
    expect(caption).to_be_visible()
    expect(page.get_by_text(re.compile(r"^Sign-in locked after wrong passwords: !\[x\]"))).to_be_visible()
    page.get_by_role("button", name="More").click()
    page.get_by_text("Unlock sign-in", exact=True).click()
    expect(page.get_by_text(re.compile(r"Saved \d\d:\d\d:\d\d"))).to_be_visible()
    expect(caption).to_have_count(0)
    settled(page)
    page.get_by_role("button", name="More").click()
    expect(page.get_by_text("Deactivate", exact=True)).to_be_visible()
    expect(page.get_by_text("Unlock sign-in", exact=True)).to_have_count(0)
    page.keyboard.press("Escape")


def test_anyone_changes_their_own_password(page_as: Callable[..., Page], server: Any) -> None:
    page = page_as("annotator2", "/people", width=390, height=844)
    page.get_by_label("Current password").fill("not the password")
    page.get_by_label("New password", exact=True).fill("another long one")
    page.get_by_label("Repeat new password").fill("another long one")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_role("alert")).to_contain_text("The current password is wrong")
    page.get_by_label("Current password").fill(server.password)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text(re.compile(r"Saved \d\d:\d\d:\d\d"))).to_be_visible()
    expect(page.get_by_label("Current password")).to_have_value("")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
