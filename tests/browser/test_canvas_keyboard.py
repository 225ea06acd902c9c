"""Two figures from the line of work to the lock, by keyboard alone: the mouse is never touched.

The first, of another program, is drawn by its proposals; the second by hand. Names are found in the name box and drawn
by codes; signs, delays, renaming, removing, a printed text that is no variable, the typed line, the answer to a doubt
and the questions at submitting are keys too. (More of proposals: test_canvas.py; further figures:
test_drawing_figures.py.)
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import axe
from tests.browser.drawing import Edge, code_beside, locate, open_figure, stored
from tests.browser.test_drawing_figures import D3, drawn_from_its_file
from tests.documents.foreign.corpus import FIGURES as FOREIGN
from tests.everything import EVERYTHING

DEMO = Path(__file__).resolve().parents[2] / "demo" / "reservoir.pdf"

POINTERS = """
window.__pointers = 0;
for (const kind of ["pointerdown", "mousedown", "touchstart", "wheel"])
  addEventListener(kind, () => { window.__pointers += 1; }, { capture: true });
"""


READ = """
from services.papers import finding
from services.transcription import prefetch
finding.find_all(terminal, act_id=new_act())
prefetch.process_queue(study, lambda: True)
"""
DRAWN = """SELECT a.state, s.name, t.name, coalesce(e.sign, '') FROM assignment a JOIN edge e ON e.graph_id = a.graph_id
           JOIN node s ON s.id = e.source_id JOIN node t ON t.id = e.sink_id WHERE a.subject_id = ?"""


@dataclass(frozen=True)
class Line:
    """A server whose study has two figures in its queue, read ahead."""

    server: Any
    first: str
    second: str

    def drawn(self, figure: str) -> tuple[set[str], list[Edge]]:
        """The states of a figure's transcriptions, and their edges."""
        with sqlite3.connect(f"file:{self.server.store}?mode=ro", uri=True) as connection:
            found = connection.execute(DRAWN, (figure,)).fetchall()
        return {row[0] for row in found}, sorted(row[1:] for row in found)


@pytest.fixture(scope="module")
def site(start_server: Callable[..., Any]) -> Line:
    server = start_server()
    foreign = ("First", FOREIGN / f"{D3.stem}.pdf", 1, D3.box)
    figures = locate(server, [foreign, ("Second", DEMO, 1, (90, 420, 540, 590))])
    server.seed(READ)
    return Line(server, figures["First"], figures["Second"])


FOCUSED = """
(() => {
  let one = document.activeElement;
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  return one?.getAttribute("aria-label") || one?.innerText || "";
})()
"""
# Six arrows of the figure as they come out; the seventh leads from a name that is not printed.
WRITTEN = b""""Area under irrigation" -> "Irrigation demand"
"Irrigation demand" -> "Water released to farms"
"Water released to farms" -> "Farm income"
"Groundwater level" -> "Irrigation demand"
"Farm income" -> "Area under irrigation"
"""


class Keys:
    """Hands that know the keyboard only."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, name: str, key: str = "Tab") -> None:
        """Go to the control of this name."""
        passed = []
        for _step in range(80):
            self.page.keyboard.press(key)
            passed.append(str(self.page.evaluate(FOCUSED)).strip())
            if re.search(name, passed[-1]):
                return
        raise AssertionError(f"no way by {key} to {name}, only to {passed}")

    def draw(self, source: str, sink: str, *after: str) -> None:
        """An edge by the codes beside its names, then what is said of it."""
        self.press(*code_beside(self.page, source), *code_beside(self.page, sink), *after)

    def name(self, text: str) -> None:
        """Find or make a node in the name box; it is put away again, so that no edge begins."""
        self.press("/")
        self.page.keyboard.type(text)
        self.press("Enter", "Escape")

    def to_figure(self) -> None:
        """From anywhere beside the figure: the typed line, and Escape from there."""
        self.tab_to("^Type an edge$", "Shift+Tab")
        self.press("Escape")
        expect(self.page.locator(".cv-viewport")).to_be_focused()


def edge(page: Page, source: str, sink: str, said: str) -> Locator:
    return page.locator(f'g.cv-edge[aria-label="{source} to {sink}, {said}"]')


@pytest.mark.skipif(not EVERYTHING, reason="test_canvas.py draws and sweeps by keys")
def test_figures_stand_in_line_and_are_drawn_and_submitted_by_keyboard_alone(
    site: Line, page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    page = page_as("annotator", "/transcribe", on=site.server)
    the_queue_shows_thumbnails_and_the_nodes_found(page)
    page.evaluate(POINTERS)
    keys = Keys(page)
    keys.tab_to("^Take next figure$")
    keys.press("Enter")
    draw_one_by_proposals_submit_it_and_get_the_next(page, keys)
    look_at_keys(page, keys)
    draw_by_keys(page, keys)
    answer_by_keys(page, keys)
    submit_by_keys(page, keys)
    offer = page.get_by_role("button", name="Download as ReCITE edge list")
    for _ in range(4):  # a redraw that comes just after the lock folds it again
        settled(page)
        keys.tab_to(r"(^|\s)Download edges$")
        keys.press("Enter")
        with suppress(AssertionError):
            expect(offer).to_be_visible(timeout=3_000)
            break
    keys.tab_to("^Download as ReCITE edge list$")
    with page.expect_download() as waiting:
        keys.press("Enter")
    assert Path(waiting.value.path()).read_bytes() == WRITTEN
    assert page.evaluate("window.__pointers") == 0
    assert site.drawn(site.first) == ({"submitted"}, sorted(D3.edges))
    assert site.drawn(site.second)[0] == {"submitted"}


def the_queue_shows_thumbnails_and_the_nodes_found(page: Page) -> None:
    expect(page.get_by_text("7 nodes found").first).to_be_visible()
    thumbnails = page.locator("img.ew-thumbnail")
    expect(thumbnails).to_have_count(3)  # the next one stands above too
    for picture in thumbnails.all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth") in (480, 481)  # whole pixels around the box
    assert axe.found(page, "work with thumbnails") == []


def draw_one_by_proposals_submit_it_and_get_the_next(page: Page, keys: Keys) -> None:
    here = page.url
    drawn_from_its_file(page, D3)
    keys.tab_to("^Submit$", "Shift+Tab")
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("A submitted transcription cannot be changed.")
    keys.tab_to("^Submit and next$")
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page).not_to_have_url(here)


def look_at_keys(page: Page, keys: Keys) -> None:
    open_figure(page)
    expect(page.locator(".cv-viewport")).to_be_focused()
    keys.press("?")
    expect(page.get_by_role("dialog", name="Canvas keys")).to_be_visible()
    keys.press("Escape")


def draw_by_keys(page: Page, keys: Keys) -> None:
    keys.press("h")
    keys.draw("Area under irrigation", "Irrigation demand", "+", "d")
    expect(edge(page, "Area under irrigation", "Irrigation demand", "plus, delay")).to_have_count(1)
    keys.draw("Irrigation demand", "Water released to farms", "+", "-")
    expect(edge(page, "Irrigation demand", "Water released to farms", "minus")).to_have_count(1)
    keys.draw("Water released to farms", "Farm income", "Delete")
    expect(page.locator("g.cv-edge")).to_have_count(2)
    keys.press("Control+z")
    expect(edge(page, "Water released to farms", "Farm income", "no sign")).to_have_count(1)
    keys.name("Mistake")
    stored(page, 5, 3)
    keys.press("Delete")
    stored(page, 4, 3)
    keys.name("Groundwater")
    keys.press("r")
    page.keyboard.type("Groundwater level")
    keys.press("Enter", "m", "ArrowDown", "Enter")
    keys.draw("Groundwater level", "Irrigation demand")
    stored(page, 5, 4)


def answer_by_keys(page: Page, keys: Keys) -> None:
    """A second spelling, written in the typed line, is asked about, and becomes the first."""
    keys.press("Shift+W")
    expect(page.get_by_label("Type an edge")).to_be_focused()
    page.keyboard.type("Farm incomes -> Area under irrigation")
    keys.press("Enter")
    expect(page.get_by_text("differ only in singular and plural")).to_be_visible()
    keys.tab_to("^One variable: “Farm income”$")
    keys.press("Enter")
    stored(page, 5, 5)
    expect(page.get_by_text("differ only in singular and plural")).to_have_count(0)
    keys.to_figure()


def submit_by_keys(page: Page, keys: Keys) -> None:
    """What was not swept is asked about; one name is attested, then the texts that no node uses are settled."""
    dialog = page.get_by_role("dialog")
    keys.tab_to("^Submit$", "Shift+Tab")
    keys.press("Enter")
    expect(dialog).to_contain_text("5 of 5 nodes not swept")
    keys.tab_to("^Continue sweep$")
    keys.press("Enter")
    expect(dialog).to_be_hidden()
    expect(page.locator(".cv-banner")).to_contain_text("Any more?")
    expect(page.locator(".cv-viewport")).to_be_focused()
    for left in range(8, 0, -1):  # five names and three texts
        expect(page.locator(".cv-banner")).to_contain_text(f"{left} left")
        keys.press("Shift+T")
    expect(page.locator(".cv-words")).to_contain_text("nodes are swept")
    expect(page.locator(".cv[data-waiting='0']")).to_be_visible()
    keys.tab_to("^Submit$", "Shift+Tab")
    keys.press("Enter")
    expect(dialog).to_contain_text("A submitted transcription cannot be changed.")
    expect(dialog).not_to_contain_text("not swept")
    keys.tab_to("^Submit$")
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()  # its sentence holds the word too
    expect(page.get_by_text("Submitted")).to_be_visible()
