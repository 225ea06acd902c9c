"""The contact sheet in a real browser: figures found by the server, decided on by keys alone and by touch."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import axe
from tests.browser.phone import phone
from tests.browser.profiles import EMPTY
from tests.everything import EVERYTHING

PAPERS, PRESSED = 14, 12
SEED = """
from services.papers import importing as paper_importing
from tests.made_papers import made_papers
for name, content in made_papers(given["count"]):
    paper_importing.import_file(terminal, name, content, act_id=new_act())
"""
STATES = """
from core.papers.detected_figures import FigureDecision
from services.papers import contact_sheet
found = [contact_sheet.sheet(terminal, decision, most=1000).figures for decision in FigureDecision]
print(json.dumps([[each.paper_id for each in figures] for figures in found]))
"""
FOUND = """
import time
from core.papers.detected_figures import FigureDecision
from services.papers import contact_sheet
for _ in range(600):
    if len(contact_sheet.sheet(terminal, FigureDecision.WAITING, most=1000).figures) == given["count"]:
        break
    time.sleep(0.1)
"""
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def found(start_server: Callable[..., Any]) -> Any:
    """A server whose study has papers that nobody has looked through."""
    server = start_server(door="tests.browser.finding_door:app")
    server.seed(SEED, count=PAPERS)
    return server


def states(server: Any) -> tuple[list[str], list[str], list[str]]:
    """Papers with a figure that waits, that is located, that is left out."""
    waiting, located, left_out = json.loads(server.seed(STATES))
    return waiting, located, left_out


def saved(page: Page) -> None:
    expect(page.locator(".cs")).to_have_attribute("data-waiting", "0", timeout=60_000)


@pytest.mark.skipif(
    not EVERYTHING, reason="tests/components/contact_sheet, tests/services/papers/test_contact_sheet.py"
)
def test_figures_of_all_papers_are_found_and_decided_on_by_one_key_each_and_by_touch(
    found: Any, page_as: Open, settled: Callable[[Page], None]
) -> None:
    page = page_as("researcher", "/papers", on=found)
    figures_of_all_papers_are_found_stopped_and_gone_on_with(page, found)
    page.goto("/papers?view=sheet")
    settled(page)
    figures_are_located_by_one_key_each(page, found)
    page.reload()
    expect(page.locator(".cs-card")).to_have_count(PAPERS - PRESSED - 1)  # what waits, on a new sheet
    assert sum(map(len, states(found))) == PAPERS
    on_a_phone_it_works_by_touch_and_is_legible(page, found)


def figures_of_all_papers_are_found_stopped_and_gone_on_with(page: Page, found: Any) -> None:
    hold = found.home / "hold-finding"  # while it is there, finding_door.py goes no further
    hold.touch()
    page.get_by_role("button", name="Contact sheet").click()
    page.get_by_role("button", name="Find all figures").click()
    expect(page.get_by_text(re.compile(r"Finding figures: .* 2 of \d+ pages"))).to_be_visible()
    page.get_by_role("button", name="Stop finding").click()
    expect(page.get_by_role("button", name="Find all figures")).to_be_visible()
    hold.unlink()
    seen = sum(map(len, states(found)))
    assert 0 < seen < PAPERS, "it was stopped before the last paper"
    expect(page.locator(".cs-card")).to_have_count(seen)
    hold.touch()
    page.get_by_role("button", name="Find all figures").click()
    expect(page.get_by_text("Finding figures:")).to_be_visible()
    page.goto(EMPTY)  # whoever leaves stops nothing
    hold.unlink()
    found.seed(FOUND, count=PAPERS)
    waiting, located, left_out = states(found)
    assert len(set(waiting)) == PAPERS
    assert located == left_out == []


def figures_are_located_by_one_key_each(page: Page, found: Any) -> None:
    expect(page.locator(".cs-card")).to_have_count(PAPERS)
    expect(page.locator(".cs-card[data-current]")).to_be_focused()
    presses = 0
    for _figure in range(PRESSED):
        page.keyboard.press("Enter")
        presses += 1
    expect(page.locator(".cs")).to_have_attribute("data-decided", str(PRESSED))
    saved(page)
    waiting, located, left_out = states(found)
    assert (len(set(located)), len(waiting), left_out) == (PRESSED, PAPERS - PRESSED, [])
    assert presses / len(located) <= 2

    page.keyboard.press("x")
    page.keyboard.press("u")
    page.keyboard.press("ArrowUp")
    expect(page.locator(".cs-card[data-current]")).to_have_attribute("data-decision", "located")
    page.keyboard.press("x")  # an earlier decision, changed
    saved(page)
    counts = f"{PAPERS - PRESSED} waiting, {PRESSED - 1} located, 1 left out"
    expect(page.get_by_text(f"{PAPERS} figures found: {counts}")).to_be_visible()

    page.keyboard.press(" ")
    look = page.get_by_role("dialog", name="The figure on its page")
    expect(look).to_be_visible()
    expect(look.locator(".cs-outline")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(look).to_be_hidden()
    saved(page)


def on_a_phone_it_works_by_touch_and_is_legible(page: Page, found: Any) -> None:
    """Narrow and dark; wide and light it is a screen of the walk."""
    first = page.locator(".cs-card").first
    before = states(found)
    with phone(page) as finger:
        axe.turn(page, "dark")
        finger.tap(first.get_by_role("button", name="Leave out"))
        expect(first).to_have_attribute("data-decision", "left out")
        saved(page)
        assert len(states(found)[2]) == len(before[2]) + 1
        finger.tap(page.get_by_role("button", name="Undo"))
        expect(first).to_have_attribute("data-decision", "waiting")
        saved(page)
        assert states(found) == before
        finger.tap(first.get_by_role("button", name="Look at"))
        look = page.get_by_role("dialog", name="The figure on its page")
        expect(look).to_be_visible()
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert axe.found(page, "contact sheet, a figure on its page", axe.COMPONENT) == []
        finger.tap(look.get_by_role("button", name="Close"))
        assert axe.found(page, "contact sheet") == []
