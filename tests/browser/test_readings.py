"""A person as a model: one builds the graph of a text by keyboard alone, and it stands beside models in the table."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import faults
from tests.everything import EVERYTHING

TEXT = "Rain fills the lake.\n\nThe town draws its water from the lake, and the level falls."
NODES, EDGES = ["Lake", "Rain", "Town"], [["Rain", "Lake"], ["Town", "Lake"]]
FILL = """
from exchange.recite import ReciteRow, write_default
from services.graphs import sample_tables
from services.runs import planning
from services.runs.settings import RunConfig, SampleSource
from tests.services.run_parts import work_here
rows = [ReciteRow(id=1, title="The lake", num_nodes=3, num_edges=2, nodes=tuple(given["nodes"]),
                  edges=tuple(map(tuple, given["edges"])), input_text=given["text"])]
table = sample_tables.import_samples(terminal, "lake.parquet", write_default(rows), with_faulty=False,
                                     act_id=new_act()).subject_id
run = planning.start(terminal, RunConfig(
    title="Lake", source=SampleSource(), protocol="recite", tasks=("generate",), variants=("names",),
    baselines=("hub",), options={"table": table, "people": 1}), act_id=new_act()).subject_id
work_here(study)
print(json.dumps(run))
"""
SHOTS = os.environ.get("EDGEWISE_SHOTS", "")


def tab_to(page: Page, name: str) -> None:
    """Tab on to the control of this name."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("(document.activeElement?.innerText || '').trim()") == name:
            return
    raise AssertionError(f"Tab does not reach {name}")


def shot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


def line(page: Page) -> Any:
    return page.get_by_label("Type an edge")


@pytest.fixture(scope="module")
def site(start_server: Callable[..., Any]) -> Any:
    return start_server()


@pytest.mark.skipif(not EVERYTHING, reason="tests/pages/readings/test_desk.py")
def test_a_person_builds_a_graph_from_its_text_by_keyboard_and_stands_beside_models(
    page_as: Callable[..., Page], site: Any
) -> None:
    run: str = json.loads(site.seed(FILL, text=TEXT, nodes=NODES, edges=EDGES).splitlines()[-1])
    page = page_as("annotator", "/readings", on=site)
    shot(page, "list")
    tab_to(page, "Take next text")
    page.keyboard.press("Enter")
    expect(line(page)).to_be_editable()
    expect(page.get_by_text("The town draws its water")).to_be_visible()
    expect(page.get_by_text("The graph has 3 nodes with these names.")).to_be_visible()
    assert page.locator("canvas, .cv-figure, img.pz-image").count() == 0  # no figure is on the screen
    expect(line(page)).to_be_focused()
    page.keyboard.type("Rain -> Lake")
    page.keyboard.press("Enter")
    page.keyboard.type("Town -> Lake")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your edges name 3.")).to_be_visible()
    shot(page, "desk")
    assert faults(page, "the desk of a text") == []
    tab_to(page, "Submit")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("2 edges between 3 of 3 nodes")
    tab_to(page, "Submit graph")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Submitted, read-only").first).to_be_visible()
    shot(page, "submitted")
    page = page_as("researcher", f"/results?runs={run}", on=site, after=page)
    shot(page, "results")
    expect(page.get_by_text(re.compile(r"Model: human:A\d+ · Variant: names given"))).to_be_visible()  # the first cell
    expect(page.get_by_text("1.000 ± 0.000").first).to_be_attached()
    expect(page.get_by_text("hub").first).to_be_attached()
