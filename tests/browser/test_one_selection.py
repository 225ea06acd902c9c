"""One edge is chosen on a desk, in the list and on the figure alike; the menu entry of the open screen leads back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

DEMO = Path(__file__).resolve().parents[2] / "demo" / "reservoir.pdf"
SEED = """
from core.papers.pages import Box
from services.papers import figures, importing as paper_importing
pdf = Path(given["pdf"]).read_bytes()
paper = paper_importing.import_file(terminal, "reservoir.pdf", pdf, act_id=new_act()).paper_id
print(json.dumps(figures.locate(terminal, paper, 1, Box(90, 420, 540, 590), label="One selection",
                                act_id=new_act()).subject_id))
"""


def test_a_desk_has_one_selection_and_the_open_screens_menu_entry_leads_to_its_list(
    server: Any, page_as: Callable[..., Page]
) -> None:
    figure = json.loads(server.seed(SEED, pdf=str(DEMO)).splitlines()[-1])
    page = page_as("annotator", f"/transcribe?figure={figure}")
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
    page.locator(".cv-viewport").first.press("Escape")
    expect(chosen).to_have_count(0)
    expect(page.get_by_role("toolbar", name="Chosen edge").get_by_role("button", name="Remove")).to_be_disabled()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Transcribe").click()
    expect(page.get_by_text("My work")).to_be_visible()
    assert "transcription=" not in page.url
    page.go_back()
    expect(rows).to_have_count(2)
