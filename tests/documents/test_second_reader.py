"""Figures whose lines the first reader does not understand are read from their pixels too, others are not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.papers.pages import Box
from core.transcription.proposals import FigureProposals
from documents.limits import PICTURES
from documents.pdf_library import pymupdf
from documents.pool import Pool
from documents.proposals.tasks import ARROWS_READ, pdf_proposals
from documents.reader import Reader

NAMES = ("Rain", "Soil water", "Yield", "Income", "Debt", "Inputs")
FRAME = (40, 40, 560, 300)


def place(number: int) -> tuple[float, float]:
    return 60 + 180 * (number % 3), 80 + 140 * (number // 3)


@pytest.fixture
def page() -> Iterator[pymupdf.Page]:
    """Six names in boxes and five arrowheads, each at the next box."""
    with pymupdf.open() as document:
        made = document.new_page(width=600, height=340)
        for number, name in enumerate(NAMES):
            x, y = place(number)
            made.draw_rect((x, y, x + 90, y + 40))
            made.insert_text((x + 10, y + 25), name, fontsize=12)
        for tip, wings in ARROWS:
            made.draw_polyline([tip, *wings], fill=(0, 0, 0), closePath=True, width=0.1)
        yield made


# From left to right in both rows, and down the right column.
ROW = [((x + 180, y + 20), (x + 90, y + 20)) for x, y in (place(0), place(1), place(3), place(4))]
DOWN = [((place(2)[0] + 45, place(5)[1]), (place(2)[0] + 45, place(2)[1] + 40))]
ARROWS = [((x, y), [(x - 10, y - 4), (x - 10, y + 4)]) for (x, y), _ in ROW]
ARROWS += [((x, y), [(x - 4, y - 10), (x + 4, y - 10)]) for (x, y), _ in DOWN]
EDGES = {("Rain", "Soil water"), ("Soil water", "Yield"), ("Income", "Debt"), ("Debt", "Inputs"), ("Yield", "Inputs")}


def joined(found: FigureProposals) -> set[tuple[str, str]]:
    return {(found.names[one.source].text, found.names[one.sink].text) for one in found.edges}


def test_a_figure_that_is_read_well_is_read_once(page: pymupdf.Page) -> None:
    for tip, tail in ROW + DOWN:
        page.draw_line(tail, tip)
    found, wants_pixels = pdf_proposals(page, FRAME)
    assert (joined(found), wants_pixels) == (EDGES, False)


def test_lines_that_are_no_drawn_lines_are_read_from_the_pixels_with_the_printed_names(
    page: pymupdf.Page, reader: Reader, tmp_path: Path
) -> None:
    black = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 4, 4), False)
    black.clear_with(0)
    for (x, y), (tail_x, tail_y) in ROW + DOWN:  # each line is a small picture, as some drawing programs print them
        page.insert_image(
            (tail_x - 0.6, tail_y - 0.6, x + 0.6, y - 9) if x == tail_x else (tail_x, y - 0.6, x - 9, y + 0.6),
            pixmap=black,
            keep_proportion=False,
        )
    declined, wants_pixels = pdf_proposals(page, FRAME)
    assert (declined.edges, wants_pixels) == ((), True)
    path = tmp_path / "figure.pdf"
    path.write_bytes(page.parent.tobytes())
    found = reader.proposals(path, hashlib.sha256(path.read_bytes()).hexdigest(), 1, Box(*FRAME))
    assert joined(found) == EDGES
    assert [one.text for one in found.names] == [one.text for one in declined.names]
    assert found.notice == ARROWS_READ  # and no longer why nothing is proposed
    assert {found.origins_of(one) for one in found.edges} == {"raster"}
    assert all(one.is_certain for one in found.edges)  # all sizes show them


def test_what_words_give_stays_where_the_pixels_cannot_be_read(page: pymupdf.Page, pool: Pool, tmp_path: Path) -> None:
    path = tmp_path / "figure.pdf"
    path.write_bytes(page.parent.tobytes())
    with Pool(PICTURES, 1, program=("/nonexistent/python",), prestart=0) as broken:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        found = Reader(pool, tmp_path / "cache", broken).proposals(path, digest, 1, Box(*FRAME))
    assert [one.text for one in found.names] == list(NAMES)
    assert found.notice.endswith(broken.sentences.unstarted)
