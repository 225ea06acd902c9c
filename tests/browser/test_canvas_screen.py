"""Drawing on the figure on the screen itself: one selection, in reach, and for everybody; by keyboard alone in
test_canvas_keyboard.py."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import found, turn
from tests.browser.conftest import settle
from tests.everything import EVERYTHING, usual

DEMO = Path(__file__).resolve().parents[2] / "demo" / "reservoir.pdf"
# Each opened as it is: another size would shut what is open over the canvas.
PHONE, DARK = {"width": 390, "height": 844}, {"color_scheme": "dark"}
SCREENS = {"light": {}, "dark phone": {**PHONE, **DARK}, "dark": DARK, "phone": PHONE}
FRAME = "in its frame"
SEEN = usual(list(SCREENS), "light", "dark", "phone")
FIGURES = """
from core.papers.pages import Box
from services.papers import figures, importing as paper_importing
from services.transcription import proposals as proposing, transcribing
pdf = Path(given["pdf"]).read_bytes()
paper = paper_importing.import_file(terminal, "reservoir.pdf", pdf, act_id=new_act()).paper_id
made = {label: figures.locate(terminal, paper, 1, Box(90, 420, 540, 590), label=label, act_id=new_act()).subject_id
        for label in given["labels"]}
print(json.dumps(made))
"""
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def drawn(server: Any) -> tuple[Any, dict[str, str]]:
    """The server and one figure per test."""
    return server, json.loads(server.seed(FIGURES, pdf=str(DEMO), labels=[*SEEN, FRAME]))


@pytest.fixture
def take(drawn: tuple[Any, dict[str, str]], page_as: Open, settled: Callable[[Page], None]) -> Callable[..., Page]:
    """`take(label, **screen)`: that figure's transcription, opened by the annotator."""

    def open_figure(label: str, **screen: Any) -> Page:
        server, figures = drawn
        page = page_as("annotator", f"/transcribe?figure={figures[label]}", on=server, **screen)
        expect(page.locator(".cv[data-editable='true']")).to_be_visible()
        settled(page)
        return page

    return open_figure


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def answered(page: Page) -> None:
    expect(page.locator(".cv[data-waiting='0']")).to_be_visible()


@pytest.mark.skipif(not EVERYTHING, reason="test_one_selection.py, test_canvas.py")
def test_one_edge_is_selected_and_what_is_not_swept_leads_into_the_sweep(take: Callable[..., Page]) -> None:
    """In the end the page is narrow and dark."""
    page = take(FRAME)
    figure_and_list_stand_side_by_side_in_reach(page)
    a_desk_has_one_selection(page)
    the_open_screens_menu_entry_leads_to_its_list(page)
    page.get_by_label("Type an edge").fill("Investment in canal -> Area under irrigation")
    page.get_by_label("Type an edge").press("Enter")
    asked = page.get_by_text("differ only in singular and plural")
    expect(asked).to_be_visible()
    page.get_by_role("button", name="Submit", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("4 of 4 nodes not swept")
    dialog.get_by_role("button", name="One variable: “Investment in canals”").click()
    expect(dialog).to_contain_text("3 of 3 nodes not swept")
    turn(page, "dark")
    said = found(page, "dialog")
    dialog.get_by_role("button", name="Continue sweep").click()
    expect(dialog).to_be_hidden()
    expect(page.locator(".cv-banner")).to_contain_text("Any more?")
    expect(page.locator(".cv-viewport")).to_be_focused()
    assert said + found(page, "sweep") == []
    press(page, "t")
    expect(page.locator(".cv-banner")).to_contain_text(re.compile(r"\d+ left"))
    expect(page.get_by_role("button", name="Sweep: 1 of 3 nodes swept")).to_be_visible()
    page.get_by_role("button", name="Graph", exact=True).click()
    expect(page.locator(".cv-viewport")).to_be_hidden()
    page.get_by_role("button", name="Figure", exact=True).click()
    expect(page.get_by_role("button", name="Sweep: 1 of 3 nodes swept")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".cv-viewport")).to_be_visible()
    page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")


def a_desk_has_one_selection(page: Page) -> None:
    """In the list and on the figure alike."""
    line = page.get_by_label("Type an edge")
    line.fill("Perceived water security -> Area under irrigation; Investment in canals")
    line.press("Enter")
    rows = page.get_by_role("grid", name="Edges").get_by_role("row", name=re.compile("Perceived"))
    expect(rows).to_have_count(2)
    chosen = page.locator("[role=row][aria-selected=true]")
    bar = page.locator(".cv-bar")
    rows.filter(has_text="irrigation").click()
    expect(chosen).to_contain_text("irrigation")
    expect(bar).to_contain_text("→ Area under irrigation")
    rows.filter(has_text="canals").click()
    expect(bar).to_contain_text("→ Investment in canals")
    bar.get_by_role("button", name="Minus (-)").click()
    expect(rows.filter(has_text="canals")).to_contain_text("−")
    expect(chosen).to_have_count(1)
    page.locator(".cv-viewport").press("Escape")
    expect(chosen).to_have_count(0)
    expect(page.get_by_role("toolbar", name="No edge selected").get_by_role("button", name="Remove")).to_be_disabled()


def the_open_screens_menu_entry_leads_to_its_list(page: Page) -> None:
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Transcribe").click()
    expect(page.get_by_text("My work")).to_be_visible()
    assert "transcription=" not in page.url
    page.go_back()
    expect(page.locator(".receipt")).to_contain_text("2 edges")
    expect(page.locator(".cv[data-editable='true']")).to_be_visible()
    settle(page)  # what is drawn anew meanwhile would take the focus away


def figure_and_list_stand_side_by_side_in_reach(page: Page) -> None:
    figure, desk = (page.locator(one).bounding_box() for one in (".cv-viewport", ".desk"))
    assert figure is not None and desk is not None
    assert figure["width"] / (figure["width"] + desk["width"]) > 0.6
    assert figure["y"] + figure["height"] < 900
    assert desk["x"] > figure["x"] + figure["width"]


@pytest.mark.skipif(not EVERYTHING, reason="test_canvas.py looks at the same states")
@pytest.mark.parametrize("screen", SEEN)
def test_no_state_of_the_canvas_has_a_serious_fault(
    take: Callable[..., Page], settled: Callable[[Page], None], screen: str
) -> None:
    page = take(screen, **SCREENS[screen])
    page.locator(".cv-viewport").focus()
    said = []
    states = {
        "proposal": ("Shift+P",),
        "hints": ("Escape", "Shift+H"),
        "name box": ("Shift+H", "/"),
        "keys": ("Escape", "?"),
    }
    for state, keys in states.items():
        press(page, *keys)
        said += found(page, state)
    press(page, "Escape", "Shift+Y")
    answered(page)
    settled(page)
    press(page, "Shift+S")
    expect(page.locator(".cv-banner")).to_be_visible()
    said += found(page, "sweep")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    said += found(page, "dialog")
    assert said == []
