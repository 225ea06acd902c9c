"""The text of a paper on the real page: labelled, made, changes rejected by keys alone, made ready; a long one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import faults
from tests.browser.text_papers import SENTENCE, text_paper
from tests.everything import EVERYTHING

LEAK = "Figure 1 shows that the rain fills the lake."
CHARACTERS = 171_000
STATE = """
from services.texts import reading
view = reading.view(terminal, given["figure"])
rejected = [each.number for stage in view.stages for each in stage.changes if each.is_rejected]
print(json.dumps([view.state.value, view.is_ready, rejected, [stage.label for stage in view.stages],
                  reading.content(terminal, view.last.sha256)]))
"""


@pytest.fixture(scope="module")
def site(start_server: Callable[..., Any]) -> Any:
    return start_server()


def stored(site: Any, ids: dict[str, str]) -> list[Any]:
    found: list[Any] = json.loads(site.seed(STATE, figure=ids["figure"]).splitlines()[-1])
    return found


def open_text(page_as: Callable[..., Page], site: Any, ids: dict[str, str]) -> Page:
    path = f"/papers?paper={ids['paper']}&tab=text&figure={ids['figure']}"
    page = page_as("researcher", path, on=site, has_touch=True)
    expect(page.locator(".tx-text")).to_have_attribute("data-shown", re.compile("/text/"))
    return page


def answered(page: Page) -> None:
    expect(page.locator(".tx .cv-receipt")).to_have_attribute("data-state", "saved")
    expect(page.locator(".tx")).to_have_attribute("data-waiting", "0")


LABELLING = """
from services.texts import labelling
from services.acting import TERMINAL
one = next(one for one in people.list_people(terminal) if one.name == "annotator")
me = Viewer(person_id=one.id, name=one.name, roles=frozenset(one.roles), session_id=TERMINAL)
found = [labelling.labelling(me, line.assignment_id) for line in labelling.my_labels(me)]
print(json.dumps([[view.state, {node: int(level) for node, level in view.levels.items()}] for view in found]))
"""


def test_a_text_is_made_a_finding_replaced_by_keys_the_text_made_ready_and_its_nodes_labelled_by_keys(
    page_as: Callable[..., Page], site: Any
) -> None:
    """The first on the site, so that no other text is ready."""
    ids = text_paper(site, make=False, leak="Here rain → lake, as they said. " + LEAK, at=10)
    page = page_as(
        "researcher", f"/papers?paper={ids['paper']}&tab=text&figure={ids['figure']}", on=site, has_touch=True
    )
    page.get_by_role("button", name="Make text").click()
    told = r"2 pages, [\d,]+ words, none lost; 1 place gives the graph away, 1 place names the figure"
    expect(page.get_by_text(re.compile(told))).to_be_visible()
    expect(page.locator(".tx-text")).to_have_attribute("data-shown", re.compile("/text/"))
    expect(page.get_by_text("1 leak, 1 warning")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".cv-notice")).to_contain_text("an arrow between two names")
    page.get_by_role("button", name="Dismiss").click()
    page.locator(".tx-text").focus()
    page.keyboard.press("f")
    expect(page.locator(".tx-body [data-chosen]")).to_have_text(LEAK)
    page.keyboard.press("f")
    expect(page.locator(".tx-body [data-chosen]")).to_have_text("rain → lake")
    page.keyboard.press("m")
    page.get_by_label("Replacement").fill("rain fills the lake")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".tx")).to_have_attribute("data-stage", "Round 1")
    answered(page)
    expect(page.locator("ins.tx-put")).to_have_text("rain fills the lake")
    expect(page.get_by_text("0 leaks, 1 warning")).to_be_visible()
    page.keyboard.press("Backspace")
    expect(page.locator(".tx")).to_have_attribute("data-stage", "Markdown")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".tx")).to_have_attribute("data-ready", "true")
    assert stored(site, ids)[3] == ["Raw", "Markdown", "Round 1"]
    nodes_are_labelled_by_keys_over_a_reload_and_submitted(page_as("annotator", "/texts", on=site, after=page), site)


def nodes_are_labelled_by_keys_over_a_reload_and_submitted(page: Page, site: Any) -> None:
    page.get_by_role("button", name="Label next text").click()
    expect(page.locator(".tx-text")).to_have_attribute("data-shown", re.compile("/text/"))
    expect(page.locator(".tx")).to_have_attribute("data-missing", "3")
    page.keyboard.press("1")
    page.keyboard.press("3")
    expect(page.locator(".tx")).to_have_attribute("data-missing", "1")
    answered(page)
    page.reload()
    expect(page.locator(".tx")).to_have_attribute("data-missing", "1")
    expect(page.locator(".tx-text")).to_have_attribute("data-shown", re.compile("/text/"))
    page.keyboard.press("2")
    assert faults(page, "labelling desk") == []
    page.locator(".tx-text").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".tx")).to_have_attribute("data-state", "submitted")
    told = json.loads(site.seed(LABELLING).splitlines()[-1])
    assert told == [["submitted", {"Lake": 1, "Rain": 3, "Town": 2}]]


@pytest.mark.skipif(not EVERYTHING, reason="the test above, with fewer changes")
def test_five_of_forty_changes_are_rejected_by_keys_alone_the_text_is_made_ready_and_marked_words_replaced(
    page_as: Callable[..., Page], site: Any
) -> None:
    ids = text_paper(site)
    page = open_text(page_as, site, ids)
    expect(page.get_by_label("Kind of change")).to_have_value("")
    expect(page.locator(".tx-rows [data-change]")).to_have_count(40)
    for _ in range(5):
        page.keyboard.press("n")
        page.keyboard.press("n")
        page.keyboard.press("x")
    expect(page.locator("del.tx-was")).to_have_count(35)
    answered(page)
    page.reload()
    expect(page.locator("span.tx-kept")).to_have_count(5)
    expect(page.locator(".tx")).to_have_attribute("data-ready", "false")
    page.keyboard.press("Enter")
    expect(page.locator(".tx")).to_have_attribute("data-ready", "true")
    state, is_ready, rejected, _, content = stored(site, ids)
    assert (state, is_ready, rejected) == ("ready", True, [2, 4, 6, 8, 10])
    assert content.count("(Dahl, ") == 5
    assert content.count("(Berg, ") == 0
    page.keyboard.press("u")
    answered(page)
    expect(page.locator("span.tx-kept")).to_have_count(4)
    assert stored(site, ids)[:3] == ["draft", False, [2, 4, 6, 8]]
    on_a_phone_the_list_comes_first_and_the_passage_under_it(page, site, ids)
    marked_words_are_replaced_where_they_stand_though_changes_come_before(page, site, ids)


def on_a_phone_the_list_comes_first_and_the_passage_under_it(page: Page, site: Any, ids: dict[str, str]) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    listed, text = page.locator(".tx-list").bounding_box(), page.locator(".tx-text").bounding_box()
    assert listed is not None and text is not None
    assert listed["y"] + listed["height"] <= text["y"]
    page.locator(".tx-rows [data-change]").nth(11).tap()
    expect(page.locator(".tx-body [data-chosen]")).to_have_text("(Dahl, 1905)")
    page.get_by_role("button", name="Reject", exact=True).tap()
    answered(page)
    assert stored(site, ids)[2] == [2, 4, 6, 8, 12]
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert faults(page, "text desk on a phone") == []
    page.set_viewport_size({"width": 1440, "height": 900})


def marked_words_are_replaced_where_they_stand_though_changes_come_before(
    page: Page, site: Any, ids: dict[str, str]
) -> None:
    page.evaluate(
        """() => {
        const desk = [...document.querySelectorAll("*")].find((each) => each.shadowRoot?.querySelector(".tx"));
        const root = (desk?.shadowRoot ?? document);
        const runs = [...root.querySelectorAll(".tx-plain")];
        const run = runs.filter((each) => each.textContent.includes("village")).at(-1);
        const node = [...run.childNodes].at(-1);
        const at = node.textContent.indexOf("kept no books");
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + "kept no books".length);
        const selection = root.getSelection?.() ?? getSelection();
        selection.removeAllRanges();
        selection.addRange(range);
        }"""
    )
    page.keyboard.press("m")
    expect(page.locator(".tx-marked")).to_have_text("kept no books")
    page.get_by_label("Replacement").fill("wrote nothing")
    page.get_by_role("button", name="Replace", exact=True).click()
    expect(page.locator(".tx")).to_have_attribute("data-stage", "Round 1")
    answered(page)
    content = stored(site, ids)[4]
    assert content.count("wrote nothing in the") + content.count("wrote nothing, and") == 1
    assert "(Dahl, 1900)" in content  # rejected, and so as it was


@pytest.mark.skipif(not EVERYTHING, reason="tests/components/texts")
def test_a_long_text_is_fetched_once_and_walked_by_keys(page_as: Callable[..., Page], site: Any) -> None:
    ids = text_paper(site, paragraphs=CHARACTERS // (2 * len(SENTENCE) + 30), leak=LEAK, at=30)
    asked: list[str] = []
    page = open_text(page_as, site, ids)
    page.on("request", lambda request: asked.append(request.url))
    expect(page.locator(".tx-body")).to_have_attribute("data-characters", re.compile(r"^(1[67]|[56])\d{4}$"))
    page.keyboard.press("p")
    expect(page.locator(".tx-body [data-chosen]").first).to_be_in_viewport()
    page.keyboard.press("x")
    answered(page)
    page.keyboard.press("/")
    page.keyboard.type("(dahl, 2000)")
    expect(page.get_by_text("1 of 1")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("z")
    expect(page.locator(".tx-text")).to_have_attribute("data-only", "true")
    assert [url for url in asked if "/text/" in url] == []
