"""Hands on Streamlit's lists. A rerun that arrives meanwhile shuts an open list or draws its box anew, so that a
choice is tried a few times, each time on a page that has come to rest."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Error, Locator, Page, Position, expect

from tests.browser.conftest import settle

TRIES = 5
PATIENCE_MS = 3_000
ROW_PX = 35  # of a table, its head among them
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def choose(page: Page, label: str, text: str) -> None:
    """As with the keyboard: type, and take the first that is offered; it must hold the text."""
    box = page.get_by_role("combobox", name=label, exact=True)
    _until_it_holds(page, lambda: _take_first(page, box, text))


def choose_line(page: Page, text: str) -> None:
    """With the mouse: choose the line of a table whose text is on it, by its tick or its first cell."""

    def attempt() -> None:
        cell = page.locator("canvas td[role=gridcell]").filter(has_text=text).first
        number = int(str(cell.get_attribute("id", timeout=PATIENCE_MS)).rpartition("-")[2])
        table = cell.locator("xpath=ancestor::*[@data-testid='stDataFrame']")
        place: Position = {"x": 15, "y": ROW_PX * (number + 1.5)}
        table.hover(position=place, timeout=PATIENCE_MS)
        page.evaluate(TWO_FRAMES)  # a table that was just drawn ignores what comes before it has painted its lines
        table.click(position=place, timeout=PATIENCE_MS)

    _until_it_holds(page, attempt)


def pick(page: Page, box: Locator, option: str) -> None:
    """With the mouse: click one of the options, which shuts the list."""
    _until_it_holds(page, lambda: _click(page, box, option))


def tick(page: Page, box: Locator, option: str) -> None:
    """With the mouse: click one of the options of a list that stays open for more, and shut it."""
    _until_it_holds(page, lambda: _click(page, box, option, several=True))


def _take_first(page: Page, box: Locator, text: str) -> None:
    box.fill("", timeout=PATIENCE_MS)
    box.fill(text, timeout=PATIENCE_MS)
    first = page.get_by_role("option").first
    expect(first).to_contain_text(text, timeout=PATIENCE_MS)
    whole = first.inner_text(timeout=PATIENCE_MS)
    box.press("Enter", timeout=PATIENCE_MS)
    expect(box).to_have_value(whole, timeout=PATIENCE_MS)
    _is_shut(page, whole)


def _click(page: Page, box: Locator, option: str, *, several: bool = False) -> None:
    box.click(timeout=PATIENCE_MS)
    page.get_by_role("option", name=option, exact=True).click(timeout=PATIENCE_MS)
    if several:
        page.keyboard.press("Escape")
    _is_shut(page, option)


def _is_shut(page: Page, option: str) -> None:
    """The canvas and the desks have options of their own, so one that was in the list is looked for."""
    expect(page.get_by_role("option", name=option, exact=True)).to_have_count(0, timeout=PATIENCE_MS)


def _until_it_holds(page: Page, attempt: Callable[[], None]) -> None:
    for left in reversed(range(TRIES)):
        settle(page)
        page.mouse.move(0, 0)  # hovered, a table shows its tools over the box that stands above it
        try:
            attempt()
            break
        except (Error, AssertionError):
            if left == 0:
                raise
