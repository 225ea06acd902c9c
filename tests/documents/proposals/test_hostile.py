"""Pages that are no diagrams, hold nothing or mean harm: a plain sentence or silence, never an exception."""

from __future__ import annotations

import hashlib
import math
import sys
from pathlib import Path

import pytest
from PIL import Image

from core.errors import UnreadableDocument
from core.papers.pages import Box
from documents.proposals.propose import TOO_BUSY, TOO_WORDY
from documents.proposals.shapes import Outline
from documents.proposals.tasks import NONE_READ, picture_of, read_picture
from documents.proposals.words import PrintedWord
from documents.reader import Reader
from tests.documents.figure_parts import arrow, edges, line, proposed, words

NAMES = [*words("Rain", 100, 100), *words("Harvest", 300, 100)]
ARROW = arrow((118, 100), (278, 100))
WHOLE = Box(0, 0, 700, 500)
TEXT = "BT /F1 10 Tf 100 300 Td (Rain) Tj 200 0 Td (Harvest) Tj ET\n"


def page_of(content: str, path: Path) -> tuple[Path, str]:
    """A PDF of one page of 600 x 400 points with that content, and its hash."""
    parts = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 400]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        f"<</Length {len(content)}>>stream\n{content}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    objects = "".join(f"{number} 0 obj{part}endobj\n" for number, part in enumerate(parts, start=1))
    path.write_bytes(f"%PDF-1.4\n{objects}trailer<</Root 1 0 R/Size 6>>\n%%EOF".encode())
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_page_of_100_000_strokes_gives_names_and_says_why_no_edges(reader: Reader, tmp_path: Path) -> None:
    strokes = "".join(f"{n % 600} {n % 397} m {(7 * n) % 600} {(3 * n) % 400} l S\n" for n in range(100_000))
    found = reader.proposals(*page_of(TEXT + strokes, tmp_path / "busy.pdf"), 1, WHOLE)
    assert sorted(name.text for name in found.names) == ["Harvest", "Rain"]
    assert (found.edges, found.notice) == ((), TOO_BUSY)


def test_an_arrow_written_by_hand_into_a_page_is_read_from_it(reader: Reader, tmp_path: Path) -> None:
    content = TEXT + "125 303 m 296 303 l S 297 303 m 290 305.5 l 290 300.5 l f\n"
    found = reader.proposals(*page_of(content, tmp_path / "arrow.pdf"), 1, WHOLE)
    assert edges(found) == ["Rain -> Harvest"]
    assert found.origin == "vector"
    assert found.notice == ""


def test_white_lines_are_not_seen(reader: Reader, tmp_path: Path) -> None:
    content = TEXT + "1 G 1 g 125 303 m 296 303 l S 297 303 m 290 305.5 l 290 300.5 l f\n"
    assert reader.proposals(*page_of(content, tmp_path / "white.pdf"), 1, WHOLE).edges == ()


def test_an_empty_page_gives_nothing(reader: Reader, tmp_path: Path) -> None:
    found = reader.proposals(*page_of("", tmp_path / "empty.pdf"), 1, WHOLE)
    assert (found.names, found.edges) == ((), ())


def test_a_region_off_the_page_is_refused(reader: Reader, tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocument, match="outside the page; draw it again") as caught:
        reader.proposals(*page_of(TEXT, tmp_path / "page.pdf"), 1, Box(700, 500, 800, 600))
    assert caught.value.kind == "outside the page"


@pytest.mark.parametrize("darkest", [255, 243])
def test_blank_paper_is_no_work_for_the_networks(monkeypatch: pytest.MonkeyPatch, darkest: int) -> None:
    """They take two seconds to load and three to see nothing."""
    monkeypatch.setitem(sys.modules, "documents.raster.words", None)  # an import of it fails
    paper = Image.linear_gradient("L").point(lambda grey: max(grey, darkest))
    assert read_picture(picture_of(paper, (0, 0, 256, 256))).notice == NONE_READ


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, 1e300])
def test_places_that_are_no_numbers_are_left_out(wrong: float) -> None:
    bad = [line((wrong, 0), (100, 100)), Outline(points=((0, 0), (wrong, 5), (5, 5)), closed=True, filled=True)]
    odd = [PrintedWord("Ghost", (wrong, 0, 10, 10), 10), PrintedWord("Ghost", (0, 0, 10, 10), wrong)]
    found = proposed([*NAMES, *odd], [*bad, *ARROW])
    assert edges(found) == ["Rain -> Harvest"]
    assert [name.text for name in found.names] == ["Rain", "Harvest"]


@pytest.mark.parametrize(
    "strokes",
    [
        [line((100, 100), (100, 100))],
        [line((100, 100))],
        [Outline(points=((50, 50), (50, 50), (50, 50)), closed=True, filled=True)],
        [Outline(points=((50, 50), (60, 50), (70, 50)), closed=True, filled=True)],
        [*ARROW, *ARROW, *ARROW],
    ],
    ids=["no length", "one point", "no size", "no area", "thrice on itself"],
)
def test_strokes_of_no_extent_and_repeated_ones_do_no_harm(strokes: list[Outline]) -> None:
    assert edges(proposed(NAMES, [*strokes, *ARROW])) == ["Rain -> Harvest"]


def test_too_many_words_or_heads_are_said() -> None:
    assert proposed(words("Rain", 100, 100) * 3_001, ARROW).notice == TOO_WORDY
    many = [
        stroke for n in range(700) for stroke in arrow((n % 30 * 20, n // 30 * 15), (n % 30 * 20 + 12, n // 30 * 15))
    ]
    found = proposed(NAMES, many)
    assert (len(found.names), found.edges, found.notice) == (2, (), TOO_BUSY)


def test_no_words_are_no_names_and_lines_alone_join_nothing() -> None:
    found = proposed([], ARROW)
    assert (found.names, found.edges, found.notice) == ((), (), "")
