"""Titles of PDFs: the metadata's where page 1 prints it, else the largest text of page 1, else none."""

from __future__ import annotations

from pathlib import Path

import pytest

from documents.reader import Reader

TITLE = "Why new canals did not end the shortages: feedback in a shared reservoir"


@pytest.mark.parametrize(
    ("name", "title", "is_read"),
    [
        ("number", TITLE, True),  # the metadata's title is 5
        ("dvi", TITLE, True),
        ("word", TITLE, True),
        ("without", TITLE, True),
        ("template", TITLE, True),  # of another paper, which this one does not print
        ("stated", TITLE.title(), False),
        # Under a journal's name, a kind of article and a stamp, beside a large initial and text that nobody sees
        ("page", TITLE, True),
        ("turned", TITLE, True),
        ("one-page", TITLE, True),
        ("diagram", "", False),  # its largest text names a node
    ],
)
def test_a_title_is_the_one_that_page_1_prints(
    reader: Reader, made: Path, name: str, title: str, is_read: bool
) -> None:
    facts = reader.inspect((made / f"title-{name}.pdf").read_bytes(), "paper.pdf")
    assert (facts.title, facts.is_title_read) == (title, is_read)


@pytest.mark.parametrize("name", ["scan.pdf", "recognised.pdf", "picture.png", "huge.pdf", "rotated.pdf"])
def test_what_prints_no_title_has_none(reader: Reader, made: Path, name: str) -> None:
    facts = reader.inspect((made / name).read_bytes(), name)
    assert (facts.title, facts.is_title_read) == ("", False)


@pytest.mark.parametrize(
    ("file", "title", "is_read"),
    [
        (
            "pdf/recite_paper_2505.18931.pdf",
            "Can Large Language Models Infer Causal Relationships from Real-World Text?",
            False,
        ),
        ("pdf/vensim_sketches_rendered.pdf", "SIR epidemic model (SDEverywhere, MIT)", True),
        ("pdf/vensim_sketches_scanned.pdf", "", False),
        ("figures/pictures/dagitty_manual.pdf", "Drawing and Analyzing Causal DAGs with DAGitty", True),
        ("figures/pictures/mccreary.pdf", "Graphs & Systems Thinking Workshop", True),
        ("figures/pictures/mask_dag.pdf", "", False),  # the metadata says "R Graphics Output"
        ("figures/pictures/org.pdf", "", False),
    ],
)
def test_titles_of_real_files(reader: Reader, shared_data: Path, file: str, title: str, is_read: bool) -> None:
    facts = reader.inspect((shared_data / file).read_bytes(), file)
    assert (facts.title, facts.is_title_read) == (title, is_read)
