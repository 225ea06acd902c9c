"""Results in a real browser: a click on a point of a chart opens the cell of its row and column; its link is copied."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

PASSWORD = """
from store.tables import PersonRow
owner = next(row for row in people.list_people(terminal) if row.name == "Owner")
with study.store.writing() as session:
    row = session.get(PersonRow, owner.id)
    row.password_hash = passwords.hash_password(given["password"])
    session.add(row)
"""


def click_point(page: Page, row: str, column: str) -> None:
    """Click by mouse at the middle of a point, which Vega draws as SVG with its row and column as its label."""
    point = page.locator(f'path[aria-roledescription="point"][aria-label*="row: {row}; column: {column};"]')
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_click_on_a_point_opens_the_items_of_its_cell_and_its_copied_link_the_same_cell(
    start_server: Callable[..., Any], made_demo: Path, page_as: Callable[..., Page]
) -> None:
    server = start_server(demo=made_demo)
    server.seed(PASSWORD, password=server.password)
    page = page_as("Owner", "/results?run=8", on=server)
    click_point(page, "coin", "Type 4: X–Y, X′–Y′")
    expect(page.get_by_text("Model: coin · Type: Type 4: X–Y, X′–Y′", exact=True)).to_be_visible()
    expect(page.get_by_text("Items in this cell: 10", exact=True).first).to_be_visible()
    expect(page).to_have_url(re.compile("line=4&column=3"))
    click_point(page, "Demo talker (scripted)", "Type 2: X–many Y")
    expect(page.get_by_text("Model: Demo talker (scripted) · Type: Type 2: X–many Y", exact=True)).to_be_visible()
    expect(page.get_by_text("Items in this cell: 26", exact=True).first).to_be_visible()
    expect(page).to_have_url(re.compile("line=2&column=1"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Link copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
