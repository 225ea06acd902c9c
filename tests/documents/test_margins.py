"""Titles in the margin: apart from the sentence beside them, in front of the paragraph where they begin."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from core.texts.markdown import make_text
from documents.margins import PrintedLine, line_numbers, without_margin
from documents.reader import Reader
from tests.documents.raw_pdf import lines_pdf

FIRST = [
    "Rain fills the lake every spring, and the town draws its water from there",
    "through one old pipe that was laid in haste after the great drought and has",
    "been mended many times since then by people who knew little of pipes.",
]
SECOND = [
    "In summer the level of the water falls, and the people of the town carry",
    "buckets from the river, which is far away and often dry as well, so that",
    "some of them leave for the coast and never come back to their houses.",
]


def line(x: float, row: float, text: str, width: float | None = None) -> PrintedLine:
    y = 100 + 12 * row
    return PrintedLine((x, y, x + (5 * len(text) if width is None else width), y + 10), text)


def body(x: float = 130, texts: list[str] = FIRST, row: float = 0) -> list[PrintedLine]:
    return [line(x, row + place, text, 370 if place < 2 else 340) for place, text in enumerate(texts)]


def found(lines: list[PrintedLine]) -> list[str]:
    return [" ".join(each.text for each in part) for part in without_margin(lines)]


TITLES = {
    "left, from the first line on": [line(60, 0, "How the"), line(60, 1, "lake feeds"), line(60, 2, "the town")],
    "left, beside the second line": [line(60, 1, "Water")],
    "left, between two lines": [line(60, 0.5, "Water")],
    "left, one line beside the first": [line(60, 0, "Lakes")],
    "right": [line(510, 1, "Lakes and"), line(510, 2, "towns")],
    "right, of larger letters": [line(510, 0.2, "Box 1"), line(510, 1.6, "Lakes")],
}


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_a_title_in_the_margin_is_apart_from_the_sentence(title: list[PrintedLine]) -> None:
    title_text = " ".join(each.text for each in title)
    for lines in (body() + title, title + body(), [*body()[:1], *title, *body()[1:]]):
        assert found(lines) == [title_text, " ".join(FIRST)]


def test_a_title_comes_before_the_paragraph_beside_it() -> None:
    lines = [*body(), *body(texts=SECOND, row=4), line(60, 4, "Of the"), line(60, 5, "summer")]
    assert found(lines) == [" ".join(FIRST), "Of the summer", " ".join(SECOND)]
    two = [*lines, line(60, 1, "Rain")]
    assert found(two) == ["Rain", " ".join(FIRST), "Of the summer", " ".join(SECOND)]


ONE_BLOCK = {
    "prose": body(),
    "two columns of prose": [*body(60), *body(450)],
    "terms and definitions": [
        *(line(60, row, term) for row, term in enumerate(("GDP", "CPI", "FDI"))),
        *(line(130, row, text) for row, text in enumerate(("gross domestic product", "consumer prices", "investment"))),
    ],
    "terms whose definitions take two lines": [
        *(line(60, row, term) for row, term in ((0, "stock"), (2, "flow"), (4, "delay"))),
        *(line(130, row, "what has gathered by then and is still to be found at the", 300) for row in (0, 2, 4)),
        *(line(130, row, "end of it", 60) for row in (1, 3, 5)),
    ],
    "a numbered equation": [*body(), line(510, 1, "(1)")],
    "lines with their numbers": [*body(), *(line(60, row, str(row + 1)) for row in range(3))],
    "a numbering": [*body(), line(60, 0, "(ii)")],
    "an initial": [*body(), line(60, 0.5, "R", 40)],
    "a paragraph with a short last line": [*body(), line(130, 3, "So it was.")],
    "a centred heading above": [line(250, -1.5, "Lakes"), *body()],
    "one line with a gap in it": [
        PrintedLine((70, 474, 222, 483), "- NEVER change any variables with"),
        PrintedLine((230, 474, 277, 483), "or > in the"),
        PrintedLine((70, 485, 94, 494), "name."),
    ],
    "nothing": [],
}


@pytest.mark.parametrize("lines", ONE_BLOCK.values(), ids=ONE_BLOCK)
def test_other_blocks_stay_as_they_are(lines: list[PrintedLine]) -> None:
    assert without_margin(lines) == []


@pytest.mark.parametrize("is_left", [True, False])
def test_a_title_in_the_margin_of_a_pdf_is_in_no_sentence_of_its_text(
    reader: Reader, tmp_path: Path, is_left: bool
) -> None:
    x, margin = (140, 72) if is_left else (72, 410)
    prose = [(x, 100 + 12 * row, text) for row, text in enumerate(FIRST)]
    prose += [(x, 150 + 12 * row, text) for row, text in enumerate(SECOND)]
    titles = [(margin, 100.0, "How the"), (margin, 112.0, "lake feeds"), (margin, 124.0, "the town")]
    path = tmp_path / "margin.pdf"
    path.write_bytes(lines_pdf([*titles, *prose]))
    read = reader.markdown(path, hashlib.sha256(path.read_bytes()).hexdigest(), 1)
    made = make_text(read.blocks)
    paragraphs = [" ".join(each.split()) for each in made.text.replace("*", "").split("\n\n")]
    assert {" ".join(FIRST), " ".join(SECOND)} <= set(paragraphs)
    assert "How the lake feeds the town" in " ".join(paragraphs)
    assert [(each.lost, each.invented) for each in made.check().sections] == [(0, 0)]


def numbered(values: list[int], x: float = 90) -> list[PrintedLine]:
    return [line(x, row, str(value)) for row, value in enumerate(values)]


@pytest.mark.parametrize("x", [90, 560], ids=["left", "right"])
def test_numbers_of_lines_in_either_margin_are_named(x: float) -> None:
    assert line_numbers([*body(texts=FIRST + SECOND), *numbered([44, 45, 46, 47, 48, 49], x)]) == {6, 7, 8, 9, 10, 11}


@pytest.mark.parametrize(
    "column",
    [numbered([1, 2, 3, 4]), numbered([1, 2, 3, 5, 6]), numbered([1, 2, 3, 4, 5], 130)],
    ids=["four", "with a gap", "within the text"],
)
def test_other_numbers_are_words(column: list[PrintedLine]) -> None:
    assert line_numbers([*body(texts=FIRST + SECOND), *column]) == set()


def test_a_manuscript_is_read_without_the_numbers_of_its_lines(reader: Reader, tmp_path: Path) -> None:
    texts = [*FIRST, *SECOND]
    path = tmp_path / "manuscript.pdf"
    path.write_bytes(
        lines_pdf(
            [(100, 100 + 14 * row, text) for row, text in enumerate(texts)]
            + [(60, 100 + 14 * row, str(row + 7)) for row in range(len(texts))]
        )
    )
    read = make_text(reader.markdown(path, hashlib.sha256(path.read_bytes()).hexdigest(), 1).blocks)
    assert " ".join(read.text.split()) == " ".join(texts)
    assert [each.text.split() for each in read.removed] == [["7", "8", "9", "10", "11", "12"]]
    assert read.check().passes
