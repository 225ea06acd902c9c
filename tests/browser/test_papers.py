"""What a researcher does with papers in a real browser: a picture is located, and what was left is come back to; papers
come in and are located in test_first_diagram.py."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
PICTURE = DATA / "cld" / "sleep_depression.png"
HOSTILE = '<img src=x onerror="window.hacked=1">![x](https://evil.example/x.png)'

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="needs shared/data beside the repository")

FIGURES = """
from services.papers import figures, importing as paper_importing, papers
lines = [line for line in papers.list_papers(terminal) if line.title == given["title"]]
print(json.dumps([[each.label, each.page, each.box.x0, each.box.y0, each.box.x1, each.box.y1]
                  for line in lines for each in figures.figures_of(terminal, line.id)]))
"""
REFERENCES = """
from services.papers import importing as paper_importing, papers
paper_importing.import_references(terminal, "refs.csv", given["csv"].encode(), act_id=new_act())
print(json.dumps([line.id for line in papers.list_papers(terminal) if line.title == given["title"]]))
"""

Open = Callable[..., Page]
Settled = Callable[[Page], None]


def located(server: Any, title: str) -> list[list[Any]]:
    found: list[list[Any]] = json.loads(server.seed(FIGURES, title=title))
    return found


def drag_over(page: Page, left: float, top: float, right: float, bottom: float) -> None:
    """Drag over these shares of the page's picture."""
    box = page.locator("img.pz-image").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + left * box["width"], box["y"] + top * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + (left + right) / 2 * box["width"], box["y"] + (top + bottom) / 2 * box["height"])
    page.mouse.move(box["x"] + right * box["width"], box["y"] + bottom * box["height"])
    page.mouse.up()


@needs_data
def test_a_picture_is_a_paper_of_one_page(page_as: Open, server: Any, settled: Settled) -> None:
    page = page_as("researcher", "/papers?view=add")
    page.locator("input[type=file]").first.set_input_files([PICTURE])
    page.get_by_role("button", name="Open", exact=True).first.click()
    expect(page.get_by_text("1 page ·")).to_be_visible()
    settled(page)  # before it, the line of the upload still stands there with the same words
    expect(page.get_by_text("No text layer: names and arrows are read from the image.")).to_be_visible()
    before = len(located(server, "sleep_depression"))
    expect(page.locator("img.pz-image")).to_be_visible()
    drag_over(page, 0.05, 0.05, 0.95, 0.95)
    expect(page.get_by_label("Place in the paper")).to_have_value("Whole page 1")
    page.get_by_role("button", name="Locate figure").click()
    expect(page.get_by_text(f"Located: {before + 1}")).to_be_visible()
    left, top, right, bottom = located(server, "sleep_depression")[-1][2:]
    # Of a picture of 1418 by 784; a mouse is good to about two points.
    assert (left / right, top / bottom) == pytest.approx((0.05 / 0.95, 0.05 / 0.95), abs=0.01)
    assert right / bottom == pytest.approx(1418 / 784, rel=0.01)


def test_back_and_a_shared_link_restore_what_was_shown(page_as: Open, server: Any, settled: Settled) -> None:
    csv = f'title,source\nRiver loops,PLOS\n"{HOSTILE.replace(chr(34), chr(34) * 2)}",MDPI\n'
    server.seed(REFERENCES, csv=csv, title="River loops")
    page = page_as("researcher", "/papers?q=river&show=no-file")
    grid = page.get_by_test_id("stDataFrame").bounding_box()
    assert grid is not None
    page.mouse.click(grid["x"] + 35, grid["y"] + 52)
    expect(page.get_by_role("heading", name="River loops")).to_be_visible()
    page.go_back()
    expect(page.get_by_placeholder("Search title")).to_have_value("river")
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="River loops")).to_be_visible()
