"""Adjudicating on the real page: by keys alone, over a reload, and on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.adjudicating import on_desk, two_drawn
from tests.browser.axe import faults, found
from tests.browser.test_canvas_keyboard import POINTERS, Keys

TRUTH = """
from services.adjudication import adjudicating
from store.graphs import graphs
from services.acting import terminal_viewer
case = next(one for one in adjudicating.waiting(terminal_viewer()) if one.figure_id == given["figure"])
desk = adjudicating.desk(terminal_viewer(), case.adjudication_id)
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


@dataclass(frozen=True)
class Case:
    """A server and a figure that two people have handed in."""

    site: Any
    figure: str

    def truth(self) -> dict[str, Any]:
        kept: dict[str, Any] = json.loads(self.site.seed(TRUTH, figure=self.figure).splitlines()[-1])
        return kept


@pytest.fixture(scope="module")
def cases(start_server: Callable[..., Any]) -> dict[str, Case]:
    """Figures alike, one for each test, by the word it asks for. That for keys is the first of the list."""
    site = start_server()
    return {word: Case(site, figure) for word, figure in two_drawn(site, "keys", "visit", "thumb").items()}


def open_desk(page_as: Callable[..., Page], case: Case, **options: Any) -> Page:
    page = page_as("reviewer", f"/adjudicate?figure={case.figure}", on=case.site, **options)
    on_desk(page, 17)
    return page


def asked(page: Page) -> str:
    return page.locator(".rd-sentence").inner_text()


def rule_names(page: Page) -> None:
    """The three names: a typo, a shorter name, and two variables."""
    page.keyboard.press("1")
    expect(page.locator(".rd-place")).to_have_text("Name 2 of 3")
    page.keyboard.press("1")
    expect(page.locator(".rd-place")).to_have_text("Name 3 of 3")
    page.keyboard.press("3")
    expect(page.locator(".rd-place")).to_have_text("Edge 1 of 6")
    on_desk(page, 6)


# --- by keys alone ----------------------------------------------------------------------------------------------


def test_a_figure_is_adjudicated_by_keyboard_alone(cases: dict[str, Case], page_as: Callable[..., Page]) -> None:
    case = cases["keys"]
    page = page_as("reviewer", "/adjudicate", on=case.site)
    page.evaluate(POINTERS)
    keys = Keys(page)
    keys.tab_to("^Adjudicate$")
    keys.press("Enter")
    on_desk(page, 17)
    expect(page.locator(".rd-card")).to_be_focused()
    keys.press("?")
    expect(page.get_by_role("dialog", name="Adjudication keys")).to_be_visible()
    keys.press("Escape")
    rule_names(page)
    assert "“Treatments per week” → “Waiting time” is drawn by A only" in asked(page)
    keys.press("r", "1", "c")
    page.keyboard.type("It runs close to the name.")
    keys.press("Escape")
    said = faults(page, "ruled")
    keys.press("g", "1")
    assert "which sign?" in asked(page)
    keys.press("3")  # not legal here: nothing happens
    assert "which sign?" in asked(page)
    keys.press("1", "1", "3")  # A's sign, A's delay, both directions
    assert "is drawn by A only" in asked(page)
    keys.press("2", "1")  # neither arrow with a variable of one's own
    on_desk(page, 0)
    expect(page.locator(".rd-sentence")).to_have_text("All differences are ruled on.")
    keys.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Both annotators see the 9 rulings")
    keys.tab_to("^Finish$")
    keys.press("Enter")
    expect(page.get_by_text("Ground truth in the Graph lab")).to_be_visible()
    assert page.evaluate("window.__pointers") == 0
    said += found(page, "finished")
    assert said == []
    kept = case.truth()
    assert kept["state"] == "submitted"
    assert ["Staff workload", "+", "Overtime worked", False, "both"] in kept["arrows"]
    assert ["Staff workload", "-", "Experienced staff", True, "both"] in kept["arrows"]
    assert ["Emergency admissions", "+", "Waiting time", False, "second"] in kept["arrows"]
    assert not any("Staff on" in name for arrow in kept["arrows"] for name in (arrow[0], arrow[2]))
    assert kept["names"] == {
        "Referals from general practice": ["A", "auto-correctable typo"],
        "Beds free": ["A", "minor difference"],
        "Staff on leave abroad": ["both", "distinct"],
    }
    assert kept["rulings"]["Treatments per week>Waiting time"] == [
        "A",
        ["overlooked"],
        "It runs close to the name.",
        True,
    ]


# --- nothing is lost --------------------------------------------------------------------------------------------


def test_one_visit_words_undoes_reloads_adds_and_strikes(cases: dict[str, Case], page_as: Callable[..., Page]) -> None:
    case = cases["visit"]
    page = open_desk(page_as, case)
    another_wording_and_another_name_of_a_are_ruled_and_the_latter_taken_back(page)
    undo_takes_the_last_ruling_back_and_shows_it_and_redo_makes_it_again(page)
    a_reload_before_the_answers_keeps_rulings_the_place_and_a_half_typed_comment(page)
    an_arrow_neither_drew_is_added_and_one_both_drew_is_struck(page, case)
    kept = case.truth()
    assert kept["waiting"] == 3
    ruled = [ruling[0] for ruling in kept["rulings"].values()]
    assert ruled == ["B", "A", "B"]
    assert ["Patients waiting", "+", "Waiting time", False, "both"] in kept["arrows"]  # struck, and taken back
    assert kept["names"]["Referals from general practice"] == ["neither", "minor difference"]
    assert ["Referrals by general practitioners", "+", "Patients waiting", False, "both"] in kept["arrows"]
    assert ["Waiting time", "-", "Referrals by general practitioners", False, "both"] in kept["arrows"]


def another_wording_and_another_name_of_a_are_ruled_and_the_latter_taken_back(page: Page) -> None:
    page.keyboard.press("m")
    page.keyboard.press("4")
    field = page.get_by_label("Wording to use")
    expect(field).to_be_focused()
    field.fill("Referrals by general practitioners")
    field.press("Enter")
    expect(page.locator(".rd-place")).to_have_text("Name 2 of 3")
    page.get_by_label("Name from A").select_option(label="Emergency admissions")
    page.keyboard.press("2")
    expect(page.locator(".rd-place")).to_have_text("Name 3 of 3")
    on_desk(page)
    page.keyboard.press("u")
    expect(page.locator(".rd-place")).to_have_text("Name 2 of 3")
    on_desk(page)
    page.keyboard.press("1")
    expect(page.locator(".rd-place")).to_have_text("Name 3 of 3")
    page.keyboard.press("3")
    expect(page.locator(".rd-place")).to_have_text("Edge 1 of 6")
    on_desk(page, 6)


def undo_takes_the_last_ruling_back_and_shows_it_and_redo_makes_it_again(page: Page) -> None:
    first = asked(page)
    page.keyboard.press("2")
    on_desk(page, 5)
    page.keyboard.press("u")
    on_desk(page, 6)
    expect(page.locator(".rd-sentence")).to_have_text(first)
    page.keyboard.press("u")  # the last name: what differs changes with it
    expect(page.locator(".rd-place")).to_have_text("Name 3 of 3")
    on_desk(page, 7)
    page.keyboard.press("Shift+U")
    on_desk(page, 6)
    page.keyboard.press("Shift+U")
    on_desk(page, 5)


def a_reload_before_the_answers_keeps_rulings_the_place_and_a_half_typed_comment(page: Page) -> None:
    """Of six differences, the first is ruled on; now the second and the third."""
    for key in ("n", "1", "2", "r", "6", "c"):
        page.keyboard.press(key)
    page.keyboard.type("half a sen")
    before = asked(page)
    page.reload()
    on_desk(page, 3)
    expect(page.locator(".rd-sentence")).to_have_text(before)
    expect(page.locator(".rd-comment")).to_have_value("half a sen")
    expect(page.get_by_role("button", name="crossing or merging lines", pressed=True)).to_be_visible()


def an_arrow_neither_drew_is_added_and_one_both_drew_is_struck(page: Page, case: Case) -> None:
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.keyboard.type("Complaints of patients")
    expect(page.get_by_text("New node: “Complaints of patients”")).to_be_visible()
    said = found(page, "an arrow of one's own")
    page.keyboard.press("Tab")
    page.keyboard.type("Staff workload")
    page.get_by_label("Sign", exact=True).select_option("+")
    page.get_by_role("button", name="Add", exact=True).click()
    on_desk(page)
    expect(page.locator(".rd-row", has_text="Complaints of patients")).to_contain_text("added")
    page.get_by_role("button", name=re.compile("^Agreed")).click()
    page.locator(".rd-row", has_text="Patients waiting → Waiting time").click()
    said += found(page, "agreed")
    assert said == []
    page.keyboard.press("x")
    on_desk(page)
    arrows = case.truth()["arrows"]
    assert ["Complaints of patients", "+", "Staff workload", False, "adjudicator"] in arrows
    assert not any(arrow[0] == "Patients waiting" and arrow[2] == "Waiting time" for arrow in arrows)
    page.keyboard.press("Backspace")
    on_desk(page)


# --- on a phone ------------------------------------------------------------------------------------------------


def test_on_a_phone_figure_card_and_list_follow_each_other_and_a_thumb_rules(
    cases: dict[str, Case], page_as: Callable[..., Page]
) -> None:
    page = open_desk(page_as, cases["thumb"], width=390, height=844, has_touch=True, is_mobile=True)
    tops = [page.locator(name).bounding_box() for name in (".rd-viewport", ".rd-card", ".rd-list", ".rd-legend")]
    assert all(box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in tops)
    assert [box["y"] for box in tops if box] == sorted(box["y"] for box in tops if box)
    button = page.locator(".rd-choice").first
    box = button.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    button.tap()
    expect(page.locator(".rd-place")).to_have_text("Name 2 of 3")
    on_desk(page)
