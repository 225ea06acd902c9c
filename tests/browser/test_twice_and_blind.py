"""From two blind transcriptions of a real figure to a frozen release, as people do it, each with a page of their own.

The figure is that of page 16 of the ReCITE paper: seven arrows in two graphs. The second annotator overlooks one
arrow, turns one round, adds one that is not there, and misspells a name; looks by keys at what the program read
otherwise; and reads what was ruled. The owner rules by keys alone, and freezes the release.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from exchange.recite import read_default
from tests.browser import axe
from tests.browser.adjudicating import on_desk
from tests.browser.drawing import DATA, Hand, courses, draw_by_picks, locate, open_figure, stored
from tests.browser.lists import pick
from tests.browser.test_drawing_figures import GRAIN, INCOME, RECITE
from tests.browser.test_first_diagram import submit
from tests.browser.walking import walk
from tests.everything import EVERYTHING

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the real paper is in ../shared/data, not here")

FIRST = [*INCOME, *GRAIN]
TYPO = "total househould income"
SECOND = (
    ("annual precipitation", "total household income"),
    ("annual sunshine hours", "total household income"),
    ("County arable land area", TYPO),
    ("Annual precipitation", "Total grain output"),  # that of sunshine hours is overlooked
    ("Arable land in county", "Total grain output"),
    ("County GDP", "Total grain output"),  # turned round
    ("County GDP", "Arable land in county"),  # not in the figure
)
TRUTH = sorted((source, sink) for source, sink, _sign in FIRST)


@pytest.fixture(scope="module")
def site(start_server: Callable[..., Any]) -> Any:
    return start_server(door="tests.browser.ordered_door:app")


@pytest.mark.skipif(not EVERYTHING, reason="tests/pages has each of its parts")
def test_two_blind_transcriptions_become_a_released_ground_truth(
    site: Any, page_as: Callable[..., Page], settled: Callable[[Page], None]
) -> None:
    figure = locate(site, [("Figure 16", RECITE, 16, (315, 48, 562, 290))])["Figure 16"]
    page = page_as("annotator", f"/transcribe?figure={figure}", on=site)
    first_draws(page)
    second_draws(page_as("annotator2", f"/transcribe?figure={figure}", on=site, after=page), settled)
    third_rules(page_as("owner", "/adjudicate", on=site, after=page))
    walk(page, "/agreement")
    agreement_is_right(page, settled)
    walk(page, "/releases")
    release_is_right(page)
    page_as("annotator2", "/transcribe", on=site, after=page)
    expect(page.get_by_text("What changed in your work (1 new)")).to_be_visible()
    expect(page.get_by_text("your readings upheld: 0 of 4")).to_be_visible()
    feedback_is_read(page)


def first_draws(page: Page) -> None:
    open_figure(page)
    expect(page.locator("g.cv-proposal")).to_have_count(len(FIRST), timeout=60_000)  # until the page is read
    printed = courses(page, "proposal")
    hand = Hand(page)
    draw_by_picks(hand, FIRST)
    assert hand.acts["edge"] <= 2 * len(FIRST)
    stored(page, 9, 7)
    drawn = courses(page, "edge")  # by hand, and yet each lies on its printed arrow
    assert {pair: drawn.get(pair) for pair in printed} == printed
    submit(page)


def second_draws(page: Page, settled: Callable[[Page], None]) -> None:
    line = page.get_by_label("Type an edge")
    expect(line).to_be_editable(timeout=30_000)
    settled(page)
    expect(page.locator("g.cv-edge")).to_have_count(0)  # nothing of the first transcription shows
    for source, sink in SECOND:
        line.fill(f'"{source}" -> "{sink}"')
        line.press("Enter")
    stored(page, 9, 7)
    submit(page, "comparing until")
    what_was_read_otherwise_is_answered_by_keys(page, settled)
    expect(page.get_by_text("Submitted, read-only")).to_be_visible()


def what_was_read_otherwise_is_answered_by_keys(page: Page, settled: Callable[[Page], None]) -> None:
    """One question after the other; in the end nothing of it is taken: both transcriptions stand as they were drawn."""
    question = page.get_by_text("Question ", exact=False).first
    expect(question).to_contain_text("Question 1 of")
    expect(page.locator("g.fv-mark")).not_to_have_count(0)
    expect(page.locator(".pz-content img").first).to_be_visible()
    assert axe.faults(page, "late voice") == []
    for key, place in (("x", 2), ("u", 1), ("y", 2), ("u", 1)):
        settled(page)  # a key that comes while the page is drawn anew finds no button
        page.keyboard.press(key)
        expect(question).to_contain_text(f"Question {place} of")
    settled(page)
    page.keyboard.press("e")


def third_rules(page: Page) -> None:
    """One key a question: the typo is the first's variable in their wording, and they are right about three arrows."""
    keys = page.keyboard
    page.get_by_role("button", name="Adjudicate next figure").focus()
    keys.press("Enter")
    on_desk(page)
    expect(page.locator(".rd-card")).to_be_focused()
    expect(page.locator(".rd-card")).to_contain_text(TYPO)
    expect(page.locator(".rd-who.read")).to_have_count(0)  # before the ruling, its word comes only on request
    keys.press("s")
    expect(page.locator(".rd-who.read")).to_have_text("Program")
    first = "1"  # who is A here
    keys.press(first)
    expect(page.locator(".rd-place")).to_have_text("Edge 1 of 3")
    on_desk(page, 3)
    for _ in range(3):
        keys.press(first)
    on_desk(page, 0)
    expect(page.locator(".rd-sentence")).to_have_text("All differences are ruled on.")
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Both annotators see the 4 rulings")
    page.get_by_role("dialog").get_by_role("button", name="Finish", exact=True).focus()
    keys.press("Enter")
    expect(page.get_by_text("Ground truth in the Graph lab")).to_be_visible()


def agreement_is_right(page: Page, settled: Callable[[Page], None]) -> None:
    """Counted by hand: of seven arrows each, five in common; of nine variables, B lacks one, and a typo costs none."""
    settled(page)
    main = page.get_by_test_id("stMain")
    expect(main).to_contain_text("1 figure transcribed twice")
    expect(main).to_contain_text("an F1 of 0.714")  # 5 / 7
    expect(main).to_contain_text("κ 0.684 over 72 ordered pairs")  # 2 (5·63 − 2·2) / (7·65 + 7·65)
    expect(main).to_contain_text("Aligned names: 1 with a typo")


def feedback_is_read(page: Page) -> None:
    page.get_by_role("button", name="Open feedback").click()
    expect(page.get_by_text("yours: not drawn")).to_have_count(1)
    assert axe.found(page, "feedback") == []
    assert not re.search("annotator|owner", page.get_by_test_id("stMain").inner_text())
    page.get_by_role("button", name="All transcriptions").click()
    expect(page.get_by_text("What changed in your work", exact=True)).to_be_visible()  # and nothing new


def release_is_right(page: Page) -> None:
    expect(page.get_by_text("Release 1 will contain 1 figure from 1 paper: 9 nodes, 7 edges.")).to_be_visible()
    page.get_by_label("Title").fill("Two graphs of page 16")
    pick(page, page.get_by_role("combobox", name="Licence"), "CC-BY-4.0")
    page.get_by_role("button", name="Freeze release 1").click()
    page.get_by_role("dialog").get_by_role("button", name="Freeze permanently").dblclick()
    expect(page.get_by_role("heading", name="Release 1")).to_be_visible()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Everything (ZIP)").click()
    assert taken.value.suggested_filename == "tested-ground-truth-release-1.zip"
    with zipfile.ZipFile(io.BytesIO(Path(taken.value.path()).read_bytes())) as archive:
        (sample,) = read_default(archive.read("default.parquet"), "default.parquet").samples
    assert sorted(sample.edges) == TRUTH
    assert len(sample.nodes) == 9
    assert TYPO not in sample.nodes
