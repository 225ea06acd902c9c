"""Real figures drawn on the canvas of the real page, act for act: the exact edges come out, and the acts are counted.

Figures of other programs are handed in from their files, as print and as scan. Prints a line a figure and, beside them,
what the keystroke-level model says of a diagram of 25 nodes and 37 edges.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from benchmarks import keystrokes
from core.papers.pages import Box
from documents.limits import Limits
from documents.pool import Pool
from documents.proposals.tasks import TOO_LARGE
from documents.reader import Reader
from tests.browser.conftest import sign_in
from tests.browser.drawing import (
    DATA,
    Edge,
    Hand,
    answer_bare_arrows,
    courses,
    draw_by_codes,
    draw_by_picks,
    draw_by_proposals,
    exported,
    locate,
    open_figure,
    stored,
    write_names,
)
from tests.browser.nursery import ROOT
from tests.browser.test_transcribe import submit
from tests.documents.foreign.corpus import FIGURES as FOREIGN
from tests.everything import EVERYTHING, usual

needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason="the real papers and pictures are in ../shared/data, not here"
)

RECITE, RENDERED, SCANNED = (
    DATA / "pdf" / f"{name}.pdf"
    for name in ("recite_paper_2505.18931", "vensim_sketches_rendered", "vensim_sketches_scanned")
)
SLEEP = DATA / "cld" / "sleep_depression.png"
SKETCHES = ("sir_view1", "workforce_view1", "sdbot_lake_urmia/p29", "sdbot_lake_urmia/p20")
SHEET = (0.0, 60.0, 792.0, 612.0)  # below the title
# What the paper's diagrams say, read by eye.
GRAIN: list[Edge] = [
    ("Annual precipitation", "Total grain output", ""),
    ("Annual sunshine hours", "Total grain output", ""),
    ("Arable land in county", "Total grain output", ""),
    ("Total grain output", "County GDP", ""),
]
CASH: list[Edge] = [
    ("County's arable land area", "Cash crop cultivation", ""),
    ("Loan usage flexibility", "Cash crop cultivation", ""),
]
INCOME: list[Edge] = [
    ("annual precipitation", "total household income", ""),
    ("annual sunshine hours", "total household income", ""),
    ("County arable land area", "total household income", ""),
]


def sketch(name: str) -> list[Edge]:
    """The edges of a published diagram with the signs that are printed; those of flow pipes are not."""
    values = json.loads((DATA / "cld" / f"{name}.json").read_text(encoding="utf-8"))
    return [(one["source"], one["sink"], "" if "derived" in one else one["polarity"] or "") for one in values["edges"]]


@dataclass(frozen=True)
class Figure:
    """A figure, where it is, what it says, and the way it is drawn in."""

    key: str
    file: Any
    page: int
    box: tuple[float, float, float, float]
    way: str
    truth: list[Edge] | str

    @property
    def edges(self) -> list[Edge]:
        return sketch(self.truth) if isinstance(self.truth, str) else self.truth


FIGURES = (
    Figure("paper, page 7", RECITE, 7, (315, 48, 562, 226), "proposals", [*CASH, *GRAIN]),
    Figure("paper, page 16", RECITE, 16, (315, 48, 562, 290), "picks", [*INCOME, *GRAIN]),
    Figure("Vensim 1", RENDERED, 1, SHEET, "codes", SKETCHES[0]),
    Figure("Vensim 2", RENDERED, 2, SHEET, "proposals", SKETCHES[1]),
    Figure("Vensim 3", RENDERED, 3, SHEET, "proposals", SKETCHES[2]),
    Figure("Vensim 4", RENDERED, 4, SHEET, "picks", SKETCHES[3]),
)


PICTURE = (0.0, 0.0, 1418.0, 784.0)
PICTURES = (
    Figure("scan 1", SCANNED, 1, SHEET, "codes", SKETCHES[0]),
    Figure("scan 2", SCANNED, 2, SHEET, "codes", SKETCHES[1]),
    Figure("scan 3", SCANNED, 3, SHEET, "picks", SKETCHES[2]),
    Figure("scan 4", SCANNED, 4, SHEET, "picks", SKETCHES[3]),
    Figure("sleep, picture", SLEEP, 1, PICTURE, "codes", "sleep_depression"),
)
PRINTS = usual(FIGURES, *FIGURES[1:])
SLEEP_NAMES = {
    "Sleep problems": (1220, 387),
    "Depressive symptoms": (868, 125),
    "Physical activity": (805, 658),
    "Childhood adversity": (242, 121),
    "Body fat": (1313, 609),
    "Perceived stress": (457, 395),
    "Treatment": (1254, 128),
    "Proinflammatory processes": (245, 598),
}
"""Where the picture's names stand, read by eye, in its pixels."""


@pytest.fixture(scope="module")
def printed(server: Any) -> tuple[Any, dict[str, str]]:
    """The server and ids of the figures that have a text layer."""
    return server, locate(server, [(one.key, one.file, one.page, one.box) for one in PRINTS])


@pytest.fixture(scope="module")
def pictures(server: Any) -> tuple[Any, dict[str, str]]:
    """The server and ids of the figures that have no text layer, of which nothing could be read."""
    return server, locate(server, [(one.key, one.file, one.page, one.box) for one in PICTURES], unread=TOO_LARGE)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, tuple[float, float]]]:
    """Where the names of each picture stand, in the order of reading, in which one writes them; the scans are the
    rendered sheets, whose words can be read."""
    content = RENDERED.read_bytes()
    found = {PICTURES[-1].key: dict(SLEEP_NAMES)}
    with Pool(Limits(), prestart=1) as pool:
        reader = Reader(pool, tmp_path_factory.mktemp("reader"))
        for page in (1, 2, 3, 4):
            names = reader.proposals(RENDERED, hashlib.sha256(content).hexdigest(), page, Box(*SHEET)).names
            found[f"scan {page}"] = {
                one.text: ((one.box.x0 + one.box.x1) / 2, (one.box.y0 + one.box.y1) / 2) for one in names
            }
    return found


ROWS: list[str] = []


@pytest.fixture(scope="module", autouse=True)
def table() -> Iterator[None]:
    yield
    print("", f"{'figure':16} {'way':10} nodes edges  acts/edge  signs  names  other", *ROWS, sep="\n")
    print(f"\nKeystroke-level model, {keystrokes.NODES} nodes and {keystrokes.EDGES} edges:")
    keystrokes.measure()


def draw(hand: Hand, figure: Figure) -> int:
    """Draw all edges in the figure's way; returns the most acts that one edge took."""
    if figure.way == "picks":
        hand.page.locator(".cv-viewport").focus()
        hand.press("f", "begin")  # a figure whose names would be too small opens enlarged
        draw_by_picks(hand, figure.edges)
        return 2
    if figure.way == "codes":
        return max(draw_by_codes(hand, figure.edges))
    missing = draw_by_proposals(hand, figure.edges)
    assert missing == []
    return 1


def count(figure: Figure, hand: Hand, nodes: int, most: int) -> None:
    acts, edges = hand.acts, len(figure.edges)
    mean = acts["edge"] / edges
    others = acts["begin"] + acts["refused"]
    ROWS.append(
        f"{figure.key:16} {figure.way:10} {nodes:5} {edges:5}  {mean:4.2f} (≤{most})  {acts['sign']:5}  "
        f"{acts['name']:5}  {others:5}"
    )
    print(f"\n{ROWS[-1]}")
    assert mean <= {"picks": 2, "codes": 3, "proposals": 1}[figure.way]


@needs_data
@pytest.mark.skipif(not EVERYTHING, reason="test_canvas.py draws by each of the ways")
@pytest.mark.parametrize("figure", PRINTS, ids=lambda one: one.key)
def test_a_printed_figure_is_drawn_exactly(
    printed: tuple[Any, dict[str, str]], page_as: Callable[..., Page], figure: Figure
) -> None:
    server, ids = printed
    page = page_as("annotator", f"/transcribe?figure={ids[figure.key]}", on=server, height=1100)
    open_figure(page)
    print_of = courses(page, "proposal")
    hand = Hand(page)
    most = draw(hand, figure)
    names = {end for edge in figure.edges for end in edge[:2]}
    stored(page, len(names), len(figure.edges))
    count(figure, hand, len(names), most)
    drawn = courses(page, "edge")  # by hand or by answering proposals, it lies on the printed arrow
    assert {pair: drawn.get(pair) for pair in print_of} == print_of
    page.locator(".cv-viewport").focus()
    page.keyboard.press("b")
    expect(page.get_by_role("status").filter(has_text="All printed arrows are checked.")).to_have_count(1)
    assert sorted(exported(page)) == sorted(figure.edges)


@needs_data
@pytest.mark.skipif(not EVERYTHING, reason="test_canvas.py types names where they stand")
@pytest.mark.parametrize("figure", PICTURES, ids=lambda one: one.key)
def test_a_picture_is_drawn_exactly_with_its_names_typed_where_they_stand(
    pictures: tuple[Any, dict[str, str]],
    places: dict[str, dict[str, tuple[float, float]]],
    page_as: Callable[..., Page],
    figure: Figure,
) -> None:
    server, ids = pictures
    page = page_as("annotator", f"/transcribe?figure={ids[figure.key]}", on=server, height=1100)
    open_figure(page)
    expect(page.get_by_text(TOO_LARGE)).to_be_visible()
    hand = Hand(page)
    write_names(hand, places[figure.key], figure.box)
    most = draw(hand, figure)
    names = {end for edge in figure.edges for end in edge[:2]}
    assert set(places[figure.key]) == names
    stored(page, len(names), len(figure.edges))
    count(figure, hand, len(names), most)
    assert sorted(exported(page)) == sorted(figure.edges)


# --- prints and scans of other programs' figures -----------------------------------------------------------------


@dataclass(frozen=True)
class Foreign:
    """A figure of the development part of the foreign corpus, and the most acts an edge of it may take."""

    stem: str
    variant: str
    box: tuple[float, float, float, float]
    most: float

    @property
    def key(self) -> str:
        return f"{self.stem}, {self.variant}"

    @property
    def edges(self) -> list[Edge]:
        truth = json.loads((FOREIGN / f"{self.stem}.json").read_text(encoding="utf-8"))
        return [(one["source"], one["sink"], one["sign"] or "") for one in truth["edges"]]


D3 = Foreign("d3-1", "vector", (85, 95, 505, 315), 1.5)
SCAN = Foreign("drawio-4", "scan", (0, 0, 330.9, 948), 2.5)
SCANS = (SCAN, Foreign("visjs-1", "scan", (0, 0, 677, 481.9), 2.5))


def drawn_from_its_file(page: Page, figure: Foreign) -> str:
    """Draw the figure that the page opens: an edge by codes, the others by proposals as far as they go, all by keys,
    and in no more acts than it may take. Returns a line about it."""
    open_figure(page)  # waits longer than a page usually takes: a picture is read first
    expect(page.locator("g.cv-proposal").first).to_be_attached(timeout=60_000)
    print_of = courses(page, "proposal")
    hand = Hand(page)
    by_hand = [edge for edge in figure.edges if f"{edge[0]} to {edge[1]}" in print_of][:1]
    draw_by_codes(hand, by_hand)
    hand.press("h", "begin")  # hints off: the keys of the proposals are letters too
    expect(page.locator("g.cv-proposal")).to_have_count(len(print_of) - len(by_hand))
    missing = draw_by_proposals(hand, [edge for edge in figure.edges if edge not in by_hand])
    if missing:
        draw_by_codes(hand, missing)
    names = {end for edge in figure.edges for end in edge[:2]}
    stored(page, len(names), len(figure.edges))
    drawn = courses(page, "edge")
    printed = [pair for pair in drawn if pair in print_of]  # by hand too
    assert len(printed) >= len(figure.edges) - len(missing) - hand.acts["turned"]
    assert [drawn[pair] for pair in printed] == [print_of[pair] for pair in printed]
    in_vain = answer_bare_arrows(hand)
    acts, edges = hand.acts, len(figure.edges)
    assert acts.total() / edges <= figure.most
    return (
        f"{figure.key:16} {len(missing):2} missing {len(names):5} {edges:5}  {acts.total() / edges:4.2f} in all  "
        f"{dict(acts)}, {in_vain} needless bare arrows"
    )


@pytest.mark.skipif(not EVERYTHING, reason="test_canvas.py rules proposals")
@pytest.mark.parametrize("figure", (D3, *SCANS), ids=lambda one: one.key)
def test_a_figure_of_another_program_is_handed_in_exactly_from_its_file(
    server: Any, new_page: Callable[..., Page], tmp_path: Path, figure: Foreign
) -> None:
    path = FOREIGN / f"{figure.stem}.pdf"
    if figure.variant != "vector":
        path, made_from = tmp_path / f"{figure.stem}.pdf", path
        program = [sys.executable, "-m", "tests.documents.foreign.damaged", figure.variant, "1"]
        subprocess.run([*program, made_from, path], check=True, cwd=ROOT)
    ids = locate(server, [(figure.key, path, 1, figure.box)])
    page = new_page(server, height=1100)
    sign_in(page.context, server, "annotator")
    page.goto(f"/transcribe?figure={ids[figure.key]}")
    ROWS.append(drawn_from_its_file(page, figure))
    print(f"\n{ROWS[-1]}")
    submit(page)
    assert sorted(exported(page)) == sorted(figure.edges)
