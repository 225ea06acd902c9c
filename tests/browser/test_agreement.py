"""Agreement in a real browser: a cell opened by mouse and by keyboard, and its link."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.walking import walk
from tests.everything import EVERYTHING

Open = Callable[..., Page]
TWICE = """
from services.acting import TERMINAL
from tests.conftest import add_figure
from tests.transcribed_twice import FIRST, SECOND, transcribe
from core.people import Viewer
rows = {row.name: row for row in people.list_people(terminal)}
first, second = (Viewer(person_id=rows[n].id, name=n, roles=frozenset(rows[n].roles),
    session_id=TERMINAL) for n in ("annotator", "annotator2"))
for title, other in (("Grain and people", SECOND), ("Drawn alike", FIRST)):
    figure = add_figure(study, title)
    transcribe(first, figure.id, FIRST)
    transcribe(second, figure.id, other)
"""


@pytest.fixture(scope="module")
def twice(start_server: Callable[..., Any]) -> Any:
    """A server whose study has two figures transcribed twice."""
    server = start_server()
    server.seed(TWICE)
    return server


@pytest.mark.skipif(not EVERYTHING, reason="tests/pages/agreement/test_screen.py")
def test_a_cell_opens_by_click_and_by_keyboard_and_both_graphs_open_in_one_visit(twice: Any, page_as: Open) -> None:
    page = page_as("reviewer", "/agreement", on=twice)
    a_cell_opens_by_a_click_and_the_link_has_it(page)
    page.get_by_role("button", name="Compare graphs").click()
    expect(page).to_have_url(re.compile(r"/graphs\?graph=.+&with=.+"))
    expect(page.get_by_text("Compare", exact=True).first).to_be_visible()
    walk(page, "/agreement?part=more")
    page.get_by_test_id("data-grid-canvas").first.focus()
    for _ in range(6):  # by the keyboard alone
        page.keyboard.press("ArrowDown")
    expect(page.get_by_text("κ of signs of edges", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("line=6"))


def a_cell_opens_by_a_click_and_the_link_has_it(page: Page) -> None:
    expect(page.get_by_text("2 figures transcribed twice")).to_be_visible()
    expect(page.get_by_text("F1 of edges", exact=True)).to_be_visible()
    table = page.get_by_test_id("stDataFrame").first
    table.click(position={"x": 160, "y": 52})  # precision of nodes
    expect(page.get_by_text("Precision of nodes", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"line=0&column=0"))
