"""The queue as people meet it: the next figure taken by keyboard; its holder and lapse seen by the owner, and freed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

DEMO = Path(__file__).resolve().parents[2] / "demo" / "reservoir.pdf"
SEED = """
from core.papers.pages import Box
from services.papers import figures, importing as paper_importing
from services.transcription import queue as queueing
pdf = Path(given["pdf"]).read_bytes()
paper = paper_importing.import_file(terminal, "reservoir.pdf", pdf, act_id=new_act()).paper_id
located = [
    figures.locate(terminal, paper, 1, Box(90, 420, 540, 590), label=label, act_id=new_act()).subject_id
    for label in ("Older", "Urgent")
]
queueing.prioritise(terminal, located[1:], 5, act_id=new_act())
"""


@pytest.fixture(scope="module")
def queued(start_server: Callable[..., Any]) -> Any:
    """A server whose study has two figures to hand out, the newer one urgent."""
    server = start_server()
    server.seed(SEED, pdf=str(DEMO))
    return server


def focus(page: Page, name: str) -> None:
    """Tab until the button of this name has the focus, as somebody without a mouse would."""
    for _press in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement?.innerText?.trim()") == name:
            return
    raise AssertionError(f"{name} is not reached by Tab")


def test_the_next_figure_is_taken_by_keyboard_and_its_claim_is_seen_and_freed(
    queued: Any, page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    annotator = page_as("annotator", "/transcribe", on=queued)
    card = annotator.locator(".st-key-next-card")
    expect(card).to_contain_text("Next for you")
    expect(card).to_contain_text("Urgent")
    focus(annotator, "Take next figure")
    annotator.keyboard.press("Enter")
    expect(annotator.get_by_role("heading", name="Urgent")).to_be_visible()
    line = annotator.get_by_label("Type an edge")
    expect(line).to_be_editable()
    line.fill("Rain -> Harvest")
    line.press("Enter")
    expect(annotator.locator(".receipt")).to_contain_text("2 nodes, 1 edge")

    owner = page_as("owner", "/transcribe?show=queue", on=queued, width=390, height=844)
    held = owner.locator(".st-key-queue-held-lines")
    expect(held).to_contain_text("annotator")
    expect(held).to_contain_text("Urgent")
    expect(held).to_contain_text("expires")
    expect(owner.get_by_text("2 figures · 3 free places · transcriptions: 0 submitted, 1 in progress")).to_be_visible()
    assert owner.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    held.get_by_role("button", name="Return claim").click()
    expect(owner.get_by_text("2 figures · 4 free places · transcriptions: 0 submitted, 0 in progress")).to_be_visible()

    line.fill("Harvest -> Income")
    line.press("Enter")
    expect(annotator.get_by_text("was returned, and its place may go to someone else").first).to_be_visible()
    annotator.goto("/transcribe")
    settled(annotator)
    expect(annotator.get_by_text("Your claim was returned. Your edges are kept. You can resume")).to_be_visible()
    annotator.get_by_role("button", name="Resume").click()
    expect(annotator.locator(".receipt")).to_contain_text("2 nodes")
    expect(line).to_be_editable()
