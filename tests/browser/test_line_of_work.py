"""Figures as on an assembly line: what the queue says of each; some in a row drawn and submitted without a mouse."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import axe
from tests.browser.drawing import open_figure
from tests.browser.test_canvas_keyboard import POINTERS, Keys
from tests.everything import EVERYTHING

IN_A_ROW = 3 if EVERYTHING else 2
FIGURES = IN_A_ROW + 1
SEED = """
from core.papers.found import FigureDecision
from services.papers import contact_sheet, finding, importing as paper_importing
from services.transcription import reading_ahead
from services.queue.settings import QueueSettings, save_settings
from tests.made_papers import made_papers
save_settings(terminal, QueueSettings(overlap=1), seen=0, act_id=new_act())
for name, content in made_papers(given["count"]):
    paper_importing.import_file(terminal, name, content, act_id=new_act())
finding.find_all(terminal, act_id=new_act())
finding.work_off(study, lambda: True)
for each in contact_sheet.sheet(terminal, FigureDecision.WAITING).figures:
    contact_sheet.decide(terminal, each.paper_id, each.part, FigureDecision.LOCATED, was=each.decision,
                         act_id=new_act())
reading_ahead.work_off(study, lambda: True)
"""
SUBMITTED = """
from store.assignments import TRANSCRIPTION, assignments_of
with study.store.reading() as session:
    print(json.dumps([row.state for row in assignments_of(session, TRANSCRIPTION)]))
"""


@pytest.fixture(scope="module")
def site(start_server: Callable[..., Any]) -> Any:
    """A server whose study has figures, located and read ahead."""
    server = start_server()
    server.seed(SEED, count=FIGURES)
    return server


def test_figures_stand_in_line_with_what_was_found_and_are_drawn_and_submitted_one_after_the_other_without_the_mouse(
    site: Any, page_as: Callable[..., Page]
) -> None:
    page = page_as("annotator", "/transcribe", on=site)
    the_queue_shows_thumbnails_and_the_nodes_found(page)
    page.evaluate(POINTERS)
    keys = Keys(page)
    keys.tab_to("^Take next figure$")
    keys.press("Enter")
    opened = set()
    for _figure in range(IN_A_ROW):
        open_figure(page)
        here = page.url
        opened.add(here)
        line = page.get_by_label("Type an edge")
        expect(line).to_be_editable()
        keys.tab_to("^Type an edge$", "Shift+Tab")
        page.keyboard.type("Rain -> Harvest")
        keys.press("Enter")
        expect(page.locator(".receipt")).to_contain_text("2 nodes, 1 edge")
        expect(page.locator(".cv[data-waiting='0']")).to_be_visible()
        keys.tab_to("^Submit$", "Shift+Tab")
        keys.press("Enter")
        expect(page.get_by_role("dialog")).to_contain_text("A submitted transcription cannot be changed.")
        keys.tab_to("^Submit and next$")
        keys.press("Enter")
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(page).not_to_have_url(here)
    open_figure(page)
    assert page.evaluate("window.__pointers") == 0
    assert len(opened) == IN_A_ROW
    assert sorted(json.loads(site.seed(SUBMITTED))) == ["open", *["submitted"] * IN_A_ROW]


def the_queue_shows_thumbnails_and_the_nodes_found(page: Page) -> None:
    expect(page.get_by_text("10 nodes found").first).to_be_visible()
    thumbnails = page.locator("img.ew-thumbnail")
    expect(thumbnails).to_have_count(FIGURES + 1)  # the next one stands above too
    for picture in thumbnails.all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth") in (480, 481)  # whole pixels around the box
    assert axe.found(page, "work with thumbnails") == []
