"""Titles that were read from page 1, in a real browser: corrected in their cell of the list of papers, or confirmed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.everything import EVERYTHING

FIRST_ROW, IN_TITLE, IN_TITLE_READ = 52, 250, 575  # pixels from the corner of the table
SEED = """
from documents.demo_papers import PAPERS
from documents.draw import draw_paper
from documents.pdf_library import pymupdf
from services.papers import importing
for number, paper in enumerate(PAPERS[:2]):
    document = pymupdf.open(stream=draw_paper(paper)[0])
    document.set_metadata({"title": "p020-dutot.dvi"})
    importing.import_file(terminal, f"{number}.pdf", document.tobytes(), act_id=new_act())
"""
TITLES = """
from services.papers import papers
print(json.dumps([[line.title, line.is_title_read] for line in papers.list_papers(terminal)]))
"""


@pytest.fixture(scope="module")
def read(start_server: Callable[..., Any]) -> Any:
    """A server whose study has two papers with titles that were read."""
    server = start_server()
    server.seed(SEED)
    return server


@pytest.mark.skipif(not EVERYTHING, reason="tests/pages/papers/test_screen.py corrects and confirms in the same table")
def test_a_read_title_is_corrected_in_its_cell_and_another_is_confirmed(
    read: Any, page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    page = page_as("researcher", "/papers", on=read)
    page.get_by_text("Title to check 2").click()
    expect(page).to_have_url(re.compile("show=titles"))
    settled(page)
    click_first_row(page, IN_TITLE)
    page.keyboard.press("Enter")
    editor = page.locator(".gdg-input")
    editor.fill("Waiting lists that come back")
    editor.press("Enter")
    expect(page.get_by_text("Title to check 1")).to_be_visible()
    _newest, oldest = listed = json.loads(read.seed(TITLES))
    assert listed == [["Waiting lists that come back", False], [oldest[0], True]]
    settled(page)
    click_first_row(page, IN_TITLE_READ)
    expect(page.get_by_text("No papers in this state.")).to_be_visible()
    assert json.loads(read.seed(TITLES)) == [["Waiting lists that come back", False], [oldest[0], False]]


def click_first_row(page: Page, x: float) -> None:
    """As a hand does, which is over a cell before it presses: a table takes no press where it saw no mouse."""
    table = page.get_by_test_id("stDataFrame")
    table.hover(position={"x": x, "y": FIRST_ROW})
    expect(page.get_by_test_id("stElementToolbar")).to_be_visible()
    table.click(position={"x": x, "y": FIRST_ROW})
