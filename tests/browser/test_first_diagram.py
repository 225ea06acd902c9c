"""From a file to an exported edge list, as a person does it: one real paper, and a real picture as far as its figure;
with everything that is transcribed too."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.walking import walk
from tests.everything import EVERYTHING

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
PAPER = DATA / "pdf" / "recite_paper_2505.18931.pdf"
PICTURE = DATA / "cld" / "sleep_depression.png"
TITLE = "Can Large Language Models Infer Causal Relationships from Real-World Text?"
# The lower graph of the paper's Figure 6, read by eye.
LOWER_GRAPH = (
    b'"Annual precipitation" -> "Total grain output"\n'
    b'"Annual sunshine hours" -> "Total grain output"\n'
    b'"Arable land in county" -> "Total grain output"\n'
    b'"Total grain output" -> "County GDP"\n'
)
FIGURES = """
from services.papers import figures, papers
lines = [line for line in papers.list_papers(terminal) if line.title == given["title"]]
print(json.dumps([[each.box.x0, each.box.y0, each.box.x1, each.box.y1]
                  for line in lines for each in figures.figures_of(terminal, line.id)]))
"""

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the real paper and picture are in ../shared/data, not here")


@pytest.fixture(scope="module")
def empty(start_server: Callable[..., Any]) -> Any:
    """A server whose study has people but no papers."""
    return start_server()


def import_file(page: Page, path: Path, settled: Callable[[Page], None]) -> None:
    """Drop the file and open the paper it became."""
    page.locator("input[type=file]").first.set_input_files([path])
    page.get_by_role("button", name="Open", exact=True).first.click(timeout=30_000)
    expect(page.get_by_role("radio", name="Figures")).to_be_checked()
    settled(page)


def begin(page: Page) -> None:
    """Locate the chosen figure and take it."""
    page.get_by_role("button", name="Locate figure").click()
    expect(page.get_by_text("Located: 1")).to_be_visible()
    take(page)


def take(page: Page) -> None:
    """Take the figure that was located last: the newest stands last."""
    page.get_by_role("link", name="Transcribe").click()
    page.get_by_role("button", name="Take", exact=True).last.click()
    expect(page.get_by_label("Type an edge")).to_be_editable()


def submit(page: Page, then: str = "Submitted") -> None:
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_hidden()  # its sentence holds the word too
    expect(page.get_by_text(then)).to_be_visible()


def standard_format(page: Page) -> bytes:
    page.get_by_text("Download edges").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="ReCITE edge list").click()
    return Path(waiting.value.path()).read_bytes()


def test_the_diagram_of_a_real_paper_is_located_once_typed_by_keyboard_and_leaves_byte_for_byte(
    empty: Any, page_as: Callable[..., Page], settled: Callable[[Page], None], tmp_path: Path
) -> None:
    page = page_as("owner", "/papers?view=add", on=empty)
    files_come_in_once_and_a_wrong_one_is_rejected(page, tmp_path)
    page.get_by_role("button", name="Open", exact=True).first.click()
    expect(page.get_by_role("heading", name="Can Large Language Models Infer")).to_be_visible()
    place = page.url + "&page=7"
    page.goto(place)
    settled(page)
    page.locator(".rp-region").filter(has_text="Figure 6").click()
    expect(page.get_by_label("Label", exact=True)).to_have_value("Figure 6")
    expect(page.get_by_label("Place in the paper")).to_have_value("Top right of page 7")
    page.get_by_role("button", name="Locate figure").dblclick()
    expect(page.get_by_text("Located: 1")).to_be_visible()
    expect(page.get_by_text(re.compile(r"Saved \d\d:\d\d:\d\d"))).to_be_visible()
    settled(page)
    expect(page.get_by_role("button", name="Locate figure")).to_have_count(0)
    take(page)
    expect(page.get_by_role("heading", name=f"Figure 6 · {TITLE}")).to_be_visible()

    names = page.locator("#names").get_by_role("option")
    keys = page.keyboard
    page.get_by_label("Type an edge").focus()
    keys.type("annual p")
    expect(names.first).to_have_text("Annual precipitation")
    keys.press("Tab")
    keys.type(" -> Total g")
    expect(names.first).to_have_text("Total grain output")
    keys.press("Tab")
    keys.press("Enter")
    keys.type("annual s")
    expect(names).to_have_text(["Annual sunshine hours"])
    keys.press("Tab")
    keys.type(" -> grain")
    expect(names).to_have_text(["Total grain output"])
    keys.press("Tab")
    keys.press("Enter")
    keys.type("Arable land in county -> Total grain output -> County GDP")
    keys.press("Enter")
    expect(page.locator(".cv-receipt", has_text="5 nodes, 4 edges")).to_be_visible()
    submit(page)
    assert standard_format(page) == LOWER_GRAPH
    back_and_a_shared_link_restore_what_was_shown(page)
    a_picture_is_a_paper_of_one_page(page, empty, settled)


def back_and_a_shared_link_restore_what_was_shown(page: Page) -> None:
    walk(page, "/papers?q=sleep")
    grid = page.get_by_test_id("stDataFrame").bounding_box()
    assert grid is not None
    page.mouse.click(grid["x"] + 35, grid["y"] + 52)
    heading = page.get_by_role("heading", name="sleep_depression")
    expect(heading).to_be_visible()
    page.go_back()
    expect(page.get_by_placeholder("Search title")).to_have_value("sleep")
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    page.go_forward()
    expect(heading).to_be_visible()


def a_picture_is_a_paper_of_one_page(page: Page, server: Any, settled: Callable[[Page], None]) -> None:
    """The page shows it; its figure is located by dragging."""
    expect(page.get_by_text("1 page ·")).to_be_visible()
    expect(page.get_by_text("No text layer: names and arrows are read from the image.")).to_be_visible()
    settled(page)
    drag_over(page, 0.05, 0.05, 0.95, 0.95)
    expect(page.get_by_label("Place in the paper")).to_have_value("Whole page 1")
    page.get_by_role("button", name="Locate figure").click()
    expect(page.get_by_text("Located: 1")).to_be_visible()
    ((left, top, right, bottom),) = json.loads(server.seed(FIGURES, title="sleep_depression"))
    # Of a picture of 1418 by 784; a mouse is good to about two points.
    assert (left / right, top / bottom) == pytest.approx((0.05 / 0.95, 0.05 / 0.95), abs=0.01)
    assert right / bottom == pytest.approx(1418 / 784, rel=0.01)


def drag_over(page: Page, left: float, top: float, right: float, bottom: float) -> None:
    """Drag over these shares of the page's picture."""
    expect(page.locator("img.pz-image")).to_be_visible()
    box = page.locator("img.pz-image").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + left * box["width"], box["y"] + top * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + (left + right) / 2 * box["width"], box["y"] + (top + bottom) / 2 * box["height"])
    page.mouse.move(box["x"] + right * box["width"], box["y"] + bottom * box["height"])
    page.mouse.up()


def files_come_in_once_and_a_wrong_one_is_rejected(page: Page, folder: Path) -> None:
    bad = folder / "article.pdf"
    bad.write_text("<!doctype html><html><body>Sign in to read</body></html>")
    page.locator("input[type=file]").first.set_input_files([PAPER, PICTURE, bad])
    expect(page.get_by_text("2 added, 1 rejected")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("article.pdf: This is a web page, not a PDF")).to_be_visible()
    page.locator("input[type=file]").first.set_input_files([PAPER])
    expect(page.get_by_text("2 added, 1 already in the study, 1 rejected")).to_be_visible()


@pytest.mark.skipif(not EVERYTHING, reason="the same way with another file; its parts are held by other tests")
def test_a_picture_without_a_text_layer_is_transcribed_the_same_way(
    empty: Any, page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    page = page_as("researcher", "/papers?view=add", on=empty)
    import_file(page, PICTURE, settled)
    drag_over(page, 0.01, 0.01, 0.99, 0.99)
    expect(page.get_by_label("Place in the paper")).to_have_value("Whole page 1")
    begin(page)
    page.get_by_label("Type an edge").focus()
    for line in ("Stress ->- Sleep quality", "Sleep quality ->- Depression"):
        page.keyboard.type(line)
        page.keyboard.press("Enter")
    expect(page.locator(".receipt")).to_contain_text("3 nodes, 2 edges")
    submit(page)
    assert standard_format(page) == b'"Stress" -> "Sleep quality"\n"Sleep quality" -> "Depression"\n'
