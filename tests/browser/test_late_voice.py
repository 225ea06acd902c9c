"""After submitting, by keys alone: the questions of the reading, and what the adjudicator sees of them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.adjudicating import BOX, DEMO, FIRST, on_desk
from tests.browser.axe import faults
from tests.browser.drawing import locate

SECOND = FIRST.replace('"Waiting time" ->- "Referrals', '"Waiting time" ->+ "Referrals').replace(
    '"Staff workload" ->+ "Overtime worked"\n', ""
)
"""Another sign and an edge left out; and what the reading has beyond both."""

DRAW = """
from core.people import Viewer
from services.transcription import proposals, transcribing
from services.acting import TERMINAL
ids = {person.name: Viewer(person_id=person.id, name=person.name, roles=frozenset(person.roles), session_id=TERMINAL)
       for person in people.list_people(terminal)}
made = {}
for name, lines in given["drawn"]:
    me = ids[name]
    work = transcribing.take(me, given["figure"], act_id=new_act()).subject_id
    proposals.open_proposals(me, work)
    receipt = transcribing.add_lines(me, work, lines, pasted=True, seen=1, act_id=new_act()).receipt
    if name == "annotator":
        transcribing.submit(me, work, seen=receipt.version, act_id=new_act())
    made[name] = work
print(json.dumps(made))
"""


def picture(page: Page, name: str) -> None:
    """Kept where EDGEWISE_PICTURES says, to be looked at."""
    folder = os.environ.get("EDGEWISE_PICTURES")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def question(page: Page) -> Any:
    return page.get_by_text("Question ", exact=False).first


def test_what_was_read_otherwise_is_answered_by_keys_and_stands_before_the_adjudicator(
    start_server: Callable[..., Any], page_as: Callable[..., Page]
) -> None:
    site = start_server()
    figure = locate(site, [("Figure 1", DEMO, 2, BOX)])["Figure 1"]
    drawn = [("annotator", FIRST), ("annotator2", SECOND)]
    works = json.loads(site.seed(DRAW, figure=figure, drawn=drawn).splitlines()[-1])

    page = page_as("annotator2", f"/transcribe?transcription={works['annotator2']}", on=site)
    expect(page.get_by_text("which sign?")).to_have_count(0)
    page.get_by_role("button", name="Submit", exact=True).focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Submit", exact=True).focus()
    page.keyboard.press("Enter")

    expect(question(page)).to_contain_text("Question 1 of")
    expect(page.get_by_text("“Waiting time” → “Referrals from general practice”: which sign?").first).to_be_visible()
    expect(page.locator("g.fv-mark[data-course]")).to_have_count(1)
    expect(page.locator(".pz-content img").first).to_be_visible()
    picture(page, "late-voice")
    assert faults(page, "late voice") == []
    page.keyboard.press("x")
    expect(question(page)).to_contain_text("Question 2 of")
    page.keyboard.press("u")
    expect(question(page)).to_contain_text("Question 1 of")
    page.keyboard.press("y")
    expect(question(page)).to_contain_text("Question 2 of")
    page.keyboard.press("e")
    expect(page.get_by_text("You compared it with what the program read: 1 of 1 answers changed it.")).to_be_visible()

    page_as("reviewer", f"/adjudicate?figure={figure}", on=site, after=page)
    on_desk(page)
    expect(page.get_by_text("Changed after submitting: 1")).to_be_visible()
    expect(page.locator(".rd-card .rd-who.read")).to_have_text("Program")
    picture(page, "third-column")
    while "program" not in (page.locator(".rd-filters [aria-pressed=true]").text_content() or "").lower():
        page.keyboard.press("l")
    row = page.locator(".rd-row").first
    row.click()
    expect(page.locator(".rd-place")).to_have_text("Read by the program only")
    expect(page.locator(".rd-line.read.current")).to_have_count(1)
    page.wait_for_timeout(600 if os.environ.get("EDGEWISE_PICTURES") else 0)  # the picture moves there
    picture(page, "read-only")
    assert faults(page, "third column") == []
    left = page.locator(".rd-row").count()
    page.keyboard.press("1")
    expect(page.locator(".rd-place")).to_have_text("Edge added by you")
    expect(page.get_by_role("button", name=f"Program only {left - 1}")).to_be_visible()
