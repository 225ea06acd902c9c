"""Adjudicating on the real page: by keys alone and over a reload, then by a thumb on a phone; and a release of it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from exchange.recite import read_default
from tests.browser.adjudicating import on_desk, two_drawn
from tests.browser.axe import faults, found
from tests.browser.lists import pick
from tests.browser.phone import phone
from tests.browser.test_canvas_keyboard import POINTERS, Keys
from tests.everything import EVERYTHING

TRUTH = """
from services.adjudication import editor, lists
from store.graphs import graphs
from services.acting import terminal_viewer
case = next(one for one in lists.waiting(terminal_viewer()) if one.figure_id == given["figure"])
desk = editor.desk(terminal_viewer(), case.adjudication_id)
wording = {node.name: node.wording for node in desk.nodes}
print(json.dumps({
    "state": desk.state, "waiting": len(desk.waiting), "version": desk.version,
    "arrows": [[wording.get(a.source, a.source), a.sign.value if a.sign else "", wording.get(a.sink, a.sink), a.delay,
                a.origin] for a in desk.arrows],
    "rulings": {d.difference.source + ">" + d.difference.sink: [d.ruling.choice.value, list(d.ruling.reasons),
                d.ruling.comment, d.ruling.is_gap] for d in desk.differences if d.ruling},
    "names": {n.question.name: [n.ruling.choice.value, n.ruling.name_class] for n in desk.names if n.ruling},
}))
"""


BEGIN = """
from core.people import Viewer
from services.acting import TERMINAL
from services.adjudication import rounds
rounds.randbelow = lambda _many: 0  # the first to submit is A, as the keys below expect
(who,) = [each for each in people.list_people(terminal) if each.name == "reviewer"]
me = Viewer(person_id=who.id, name=who.name, roles=frozenset(who.roles), session_id=TERMINAL)
rounds.begin(me, given["figure"], act_id=new_act())
"""


@dataclass(frozen=True)
class Case:
    """A server and a figure that two people have handed in."""

    site: Any
    figure: str

    def truth(self) -> dict[str, Any]:
        kept: dict[str, Any] = json.loads(self.site.seed(TRUTH, figure=self.figure).splitlines()[-1])
        return kept


@pytest.fixture(scope="module")
def case(start_server: Callable[..., Any]) -> Case:
    site = start_server()
    figure = two_drawn(site, "The figure")["The figure"]
    site.seed(BEGIN, figure=figure)
    return Case(site, figure)


def asked(page: Page) -> str:
    return page.locator(".rd-sentence").inner_text()


def place(page: Page, text: str) -> None:
    expect(page.locator(".rd-place")).to_have_text(text)


@pytest.mark.skipif(not EVERYTHING, reason="test_ruling_desk.py, tests/pages/adjudication")
def test_a_figure_is_adjudicated_by_keyboard_alone_and_over_a_reload(case: Case, page_as: Callable[..., Page]) -> None:
    page = page_as("reviewer", "/adjudicate", on=case.site)
    page.evaluate(POINTERS)
    keys = Keys(page)
    keys.tab_to("^My account$")  # the end of the menu, in which a page has the name of the button
    keys.tab_to("^Continue$")
    keys.press("Enter")
    on_desk(page, 17)
    expect(page.locator(".rd-card")).to_be_focused()
    keys.press("?")
    expect(page.get_by_role("dialog", name="Adjudication keys")).to_be_visible()
    keys.press("Escape")
    names_are_ruled_in_another_wording_and_with_another_name_of_a(page, keys)
    undo_takes_the_last_ruling_back_and_shows_it_and_redo_makes_it_again(page, keys)
    said = a_difference_is_ruled_with_reason_comment_and_gap(page, keys)
    assert page.evaluate("window.__pointers") == 0
    a_reload_before_the_answers_keeps_rulings_the_place_and_a_half_typed_comment(page, keys)
    page.evaluate(POINTERS)
    said += an_arrow_neither_drew_is_added_and_one_both_drew_is_struck(page, keys, case)
    keys.press("n")
    assert "is drawn by B only" in asked(page)
    a_thumb_reaches_the_choices_on_a_phone(page)
    keys.press("1", "2")  # neither arrow with a variable of one's own
    on_desk(page, 0)
    expect(page.locator(".rd-sentence")).to_have_text("All differences are ruled on.")
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Both annotators see the 9 rulings")  # 3 names, 6 edges
    keys.tab_to("^Finish$")
    keys.press("Enter")
    expect(page.get_by_text("Ground truth in the Graph lab")).to_be_visible()
    assert page.evaluate("window.__pointers") == 0
    said += found(page, "finished")
    assert said == []
    all_of_it_is_kept(case)
    it_is_frozen_as_a_release(page_as("owner", "/releases", on=case.site, after=page))


def names_are_ruled_in_another_wording_and_with_another_name_of_a(page: Page, keys: Keys) -> None:
    """A typo in words of one's own; a shorter name, first taken for another of A's; and two variables."""
    keys.press("m", "4")
    field = page.get_by_label("Wording to use")
    expect(field).to_be_focused()
    field.fill("Referrals by general practitioners")
    keys.press("Enter")
    place(page, "Name 2 of 3")
    page.get_by_label("Name from A").select_option(label="Emergency admissions")
    keys.press("2")
    place(page, "Name 3 of 3")
    on_desk(page)
    keys.press("u")
    place(page, "Name 2 of 3")
    on_desk(page)
    keys.press("1")
    place(page, "Name 3 of 3")
    keys.press("3")
    place(page, "Edge 1 of 6")
    on_desk(page, 6)


def undo_takes_the_last_ruling_back_and_shows_it_and_redo_makes_it_again(page: Page, keys: Keys) -> None:
    first = asked(page)
    keys.press("2")
    on_desk(page, 5)
    keys.press("u")
    on_desk(page, 6)
    expect(page.locator(".rd-sentence")).to_have_text(first)
    keys.press("u")  # the last name: what differs changes with it
    place(page, "Name 3 of 3")
    on_desk(page, 7)
    keys.press("Shift+U")
    on_desk(page, 6)
    keys.press("Shift+U")
    on_desk(page, 5)
    keys.press("u")
    on_desk(page, 6)


def a_difference_is_ruled_with_reason_comment_and_gap(page: Page, keys: Keys) -> list[str]:
    assert "“Treatments per week” → “Waiting time” is drawn by A only" in asked(page)
    keys.press("r", "1", "c")
    page.keyboard.type("It runs close to the name.")
    keys.press("Escape")
    said = faults(page, "ruled")
    keys.press("g", "1")
    assert "which sign?" in asked(page)
    keys.press("3")  # not legal here: nothing happens
    assert "which sign?" in asked(page)
    return said


def a_reload_before_the_answers_keeps_rulings_the_place_and_a_half_typed_comment(page: Page, keys: Keys) -> None:
    keys.press("1", "1", "r", "6", "c")  # A's sign, A's delay
    page.keyboard.type("half a sen")
    before = asked(page)
    page.reload()
    on_desk(page, 3)
    expect(page.locator(".rd-sentence")).to_have_text(before)
    expect(page.locator(".rd-comment")).to_have_value("half a sen")
    expect(page.get_by_role("button", name="crossing or merging lines", pressed=True)).to_be_visible()


def an_arrow_neither_drew_is_added_and_one_both_drew_is_struck(page: Page, keys: Keys, case: Case) -> list[str]:
    keys.press("Escape", "3")  # both directions
    on_desk(page, 2)
    keys.press("a")
    page.keyboard.type("Complaints of patients")
    expect(page.get_by_text("New node: “Complaints of patients”")).to_be_visible()
    said = found(page, "an arrow of one's own")
    keys.press("Tab")
    page.keyboard.type("Staff workload")
    page.get_by_label("Sign", exact=True).select_option("+")
    page.get_by_role("button", name="Add", exact=True).press("Enter")
    on_desk(page)
    expect(page.locator(".rd-row", has_text="Complaints of patients")).to_contain_text("added")
    page.get_by_role("button", name="Agreed").press("Enter")
    page.locator(".rd-row", has_text="Patients waiting → Waiting time").press("Enter")
    said += found(page, "agreed")
    keys.press("x")
    on_desk(page)
    arrows = case.truth()["arrows"]
    assert ["Complaints of patients", "+", "Staff workload", False, "adjudicator"] in arrows
    assert not any(arrow[0] == "Patients waiting" and arrow[2] == "Waiting time" for arrow in arrows)
    keys.press("Backspace")
    on_desk(page)
    return said


def a_thumb_reaches_the_choices_on_a_phone(page: Page) -> None:
    """Figure, card and list follow each other; a tap rules."""
    with phone(page) as finger:
        tops = [page.locator(name).bounding_box() for name in (".rd-viewport", ".rd-card", ".rd-list", ".rd-legend")]
        assert all(box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in tops)
        assert [box["y"] for box in tops if box] == sorted(box["y"] for box in tops if box)
        choice = page.locator(".rd-choice").first
        box = choice.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        finger.tap(choice)
        on_desk(page, 1)
    page.keyboard.press("u")
    on_desk(page, 2)
    page.evaluate(POINTERS)


def all_of_it_is_kept(case: Case) -> None:
    kept = case.truth()
    assert kept["state"] == "submitted"
    assert ["Staff workload", "+", "Overtime worked", False, "both"] in kept["arrows"]
    assert ["Staff workload", "-", "Experienced staff", True, "both"] in kept["arrows"]
    assert ["Emergency admissions", "+", "Waiting time", False, "second"] in kept["arrows"]
    assert ["Complaints of patients", "+", "Staff workload", False, "adjudicator"] in kept["arrows"]
    assert ["Patients waiting", "+", "Waiting time", False, "both"] in kept["arrows"]  # struck, and taken back
    assert ["Referrals by general practitioners", "+", "Patients waiting", False, "both"] in kept["arrows"]
    assert ["Waiting time", "-", "Referrals by general practitioners", False, "both"] in kept["arrows"]
    assert not any("Staff on" in name for arrow in kept["arrows"] for name in (arrow[0], arrow[2]))
    assert kept["names"] == {
        "Referals from general practice": ["neither", "minor difference"],
        "Beds free": ["A", "minor difference"],
        "Staff on leave abroad": ["both", "distinct"],
    }
    assert kept["rulings"]["Treatments per week>Waiting time"] == [
        "A",
        ["overlooked"],
        "It runs close to the name.",
        True,
    ]


def it_is_frozen_as_a_release(page: Page) -> None:
    expect(page.get_by_text("Release 1 will contain 1 figure from 1 paper")).to_be_visible()
    page.get_by_label("Title").fill("Waiting lists")
    pick(page, page.get_by_role("combobox", name="Licence"), "CC-BY-4.0")
    page.get_by_role("button", name="Freeze release 1").click()
    page.get_by_role("dialog").get_by_role("button", name="Freeze permanently").dblclick()
    expect(page.get_by_role("heading", name="Release 1")).to_be_visible()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Everything (ZIP)").click()
    assert taken.value.suggested_filename == "tested-ground-truth-release-1.zip"
    with zipfile.ZipFile(io.BytesIO(Path(taken.value.path()).read_bytes())) as archive:
        (sample,) = read_default(archive.read("default.parquet"), "default.parquet").samples
    assert ("Complaints of patients", "Staff workload") in sample.edges
    assert not any("Staff on leave" in name for name in sample.nodes)
