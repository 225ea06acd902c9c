"""A newcomer in a real browser: reads the guidelines, draws the training figure with slips in it, and passes."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import NARROW, WIDE, found, resize, turn
from tests.everything import EVERYTHING, usual

ROOT = Path(__file__).resolve().parents[2]
TRUE = json.loads((ROOT / "demo" / "practice" / "training.json").read_text(encoding="utf-8"))["graph"]["edges"]
STUDY = """
from core.papers.pages import Box
from services.papers import figures, importing as paper_importing
pdf = Path(given["pdf"]).read_bytes()
paper = paper_importing.import_file(terminal, "reservoir.pdf", pdf, act_id=new_act()).paper_id
print(figures.locate(terminal, paper, 1, Box(90, 420, 540, 590), label="real", act_id=new_act()).subject_id)
"""
UNTRAIN = """
from services.transcription import guidelines, practice as training
for person in people.list_people(terminal):
    if person.name == given["name"]:
        training.ask_again(terminal, person.id, act_id=new_act())
number = guidelines.guidelines(terminal).number
guidelines.save_guidelines(terminal, "# Copying\\n\\n- Copy what is printed.", seen=number, act_id=new_act())
print(number + 1)
"""

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def newcomers(start_server: Callable[..., Any]) -> tuple[Any, str]:
    """A server with one located figure."""
    server = start_server()
    return server, server.seed(STUDY, pdf=str(ROOT / "demo" / "reservoir.pdf")).splitlines()[-1]


def line_of(edge: dict[str, Any], **change: Any) -> str:
    edge = {**edge, **change}
    return f'"{edge["source"]}" ->{edge["sign"] or ""} "{edge["sink"]}"'


def type_lines(page: Page, lines: list[str]) -> None:
    """All at once, as pasted."""
    field = page.get_by_label("Type an edge")
    expect(field).to_be_editable()
    field.fill("\n".join(lines))
    field.press("Enter")


def stored(server: Any, query: str) -> list[Any]:
    with sqlite3.connect(f"file:{server.store}?mode=ro", uri=True) as connection:
        return connection.execute(query).fetchall()


def counted(page: Page, edges: int) -> None:
    expect(page.locator(".receipt")).to_have_text(re.compile(rf"\d nodes, {edges} edges?$"))


@pytest.mark.skipif(not EVERYTHING, reason="tests/pages/transcription/test_practice.py")
def test_a_newcomer_passes_after_correcting_planted_slips_and_draws_a_first_figure(
    newcomers: tuple[Any, str], page_as: Open, settled: Callable[[Page], None]
) -> None:
    server, figure = newcomers
    version = server.seed(UNTRAIN, name="newcomer")
    page = page_as("newcomer", f"/transcribe?figure={figure}", on=server)
    expect(page.get_by_text(f"Read the guidelines first (version {version})")).to_be_visible()
    expect(page.get_by_text("Copy what is printed.")).to_be_visible()
    page.get_by_role("button", name="Mark as read").click()
    the_gate_is_legible_on_a_phone(page)
    page.get_by_role("button", name="Start practice").click()
    expect(page.get_by_text("Step 1 of 4: click “Bread quality”")).to_be_visible()
    # One is turned round, one has no delay, a minus is written as a plus, one is missed, one is invented.
    first, delayed, minus, _missed = TRUE
    turned = line_of(first, source=first["sink"], sink=first["source"])
    type_lines(page, [line_of(delayed)])
    counted(page, 1)
    type_lines(page, [turned, line_of(minus, sign="+"), '"Price of flour" -> "Waiting in line"'])
    counted(page, 4)
    practice = page.url
    page.get_by_role("button", name="Check my work").click()
    expect(page.get_by_text("Check 1: 0 of 4 edges right, 5 to correct")).to_be_visible()
    for verdict in ("1. Reversed", "2. Wrong delay mark", "3. Wrong sign", "4. Missed", "5. Not in the figure"):
        expect(page.get_by_text(verdict)).to_be_attached()
    expect(page.locator(".fv-mark")).to_have_count(5)
    page.locator('.fv-mark[data-id="2"]').click()
    expect(page.locator('.fv-mark[data-id="2"][data-state="chosen"]')).to_be_visible()
    settled(page)
    assert found(page, "findings") == []

    _correct(page)
    expect(page.get_by_text("You changed the graph after this check")).to_be_visible()
    page.get_by_role("button", name="Check my work").click()
    expect(page.get_by_text("Passed after 2 checks: all 4 edges are as printed.")).to_be_visible()
    page.get_by_role("button", name="First figure").click()
    expect(page).not_to_have_url(practice)
    expect(page.get_by_label("Type an edge")).to_be_editable()
    expect(page.get_by_role("button", name="Submit")).to_be_visible()
    settled(page)
    for line, edges in (("Rain -> Harvest -> Income", 2), ("Income -> Rain", 3)):
        type_lines(page, [line])
        counted(page, edges)
        page.wait_for_timeout(700)  # of which the time on the figure is shown
    time_on_a_figure_is_kept_for_it_and_shown_to_its_annotator(page, server)
    expect(page.get_by_text("My work", exact=True)).to_be_visible()
    kept = stored(
        server,
        "SELECT details FROM milestone m JOIN person p ON p.id = m.person_id "
        "WHERE p.name = 'newcomer' AND m.what = 'training'",
    )
    assert json.loads(kept[0][0]) == {"how": "passed", "tries": 2}


def _correct(page: Page) -> None:
    """Undo the slips, mark the delay on what is then the last line, and type what is right."""
    page.get_by_role("button", name="Undo").last.click()
    counted(page, 1)
    page.get_by_label("Type an edge").click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("d")
    type_lines(page, [line_of(TRUE[place]) for place in (0, 2, 3)])
    counted(page, 4)


def the_gate_is_legible_on_a_phone(page: Page) -> None:
    for size, theme in usual([NARROW, WIDE], WIDE):
        resize(page, size)
        turn(page, theme)
        expect(page.get_by_role("button", name="Start practice")).to_be_visible()
        assert found(page, f"gate {size}") == []
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    resize(page, WIDE[0])


def time_on_a_figure_is_kept_for_it_and_shown_to_its_annotator(page: Page, server: Any) -> None:
    page.evaluate("""() => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
        document.dispatchEvent(new Event("visibilitychange"));
    }""")
    query = (
        "SELECT e.active_s FROM effort e JOIN assignment a ON a.id = e.assignment_id "
        "JOIN person p ON p.id = a.person_id WHERE p.name = 'newcomer' AND a.kind = 'transcription'"
    )
    for _ in range(100):
        if stored(server, query):
            break
        page.wait_for_timeout(100)
    ((seconds,),) = stored(server, query)
    assert seconds > 0.5
    page.get_by_role("button", name="Leave for now").click()
    expect(page.get_by_text(re.compile(r"^Your active time: \d+ s"))).to_be_visible()
