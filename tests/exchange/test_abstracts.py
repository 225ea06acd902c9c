"""Papers with abstracts from four kinds of file come to the same papers; faults are told together."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.errors import BadInput
from core.triplets.corpus import CorpusPaper
from exchange.abstracts import read_abstracts
from exchange.file_kinds import FileKind, kind_of
from exchange.file_reading import AbstractsRead, abstracts_in
from exchange.wire import from_lines, to_lines

ONE = CorpusPaper(
    title="Minimum wages and jobs",
    abstract="Employment did not fall, we find.",
    authors=("Doe, Ada", "Roe, Ben"),
    year=2004,
    journal="Econometrica",
    doi="10.1000/wages.1",
    jel=("J31", "J38"),
)
CSV = (
    b"title,authors,journal,year,doi,abstract,jel\n"
    b'Minimum wages and jobs,"Doe, Ada; Roe, Ben",Econometrica,2004,https://doi.org/10.1000/WAGES.1,'
    b'"Employment did not fall, we find.",J31; J38\n'
)
JSONL = json.dumps(
    {
        "title": ONE.title,
        "authors": list(ONE.authors),
        "journal": ONE.journal,
        "year": 2004,
        "doi": "10.1000/wages.1",
        "abstract": ONE.abstract,
        "jel": ["J31", "J38"],
    }
).encode()
BIBTEX = b"""@article{a, title={Minimum wages and jobs}, author={Doe, Ada and Roe, Ben}, journal={Econometrica},
 year={2004}, doi={10.1000/wages.1}, abstract={Employment did not fall, we find.}, jel={J31, J38}}
"""
RIS = b"""TY  - JOUR
TI  - Minimum wages and jobs
AU  - Doe, Ada
AU  - Roe, Ben
JO  - Econometrica
PY  - 2004
DO  - 10.1000/wages.1
AB  - Employment did not fall, we find.
ER  -
"""


@pytest.mark.parametrize(
    ("name", "content"), [("a.csv", CSV), ("a.jsonl", JSONL), ("a.bib", BIBTEX), ("a.ris", RIS)], ids=lambda each: each
)
def test_every_form_comes_to_the_same_paper_and_is_known_by_its_content(name: str, content: bytes) -> None:
    read = read_abstracts(content, name)
    assert (read.entries, read.faults) == (1, ())
    (found,) = read.papers
    assert found == (ONE if name != "a.ris" else replace(ONE, jel=()))
    assert kind_of("whatever", content) is FileKind.ABSTRACTS
    again = from_lines(AbstractsRead, to_lines(AbstractsRead, abstracts_in(name, content)))
    assert again.file == read


def test_one_paper_may_stand_twice_and_what_is_wrong_is_told_with_its_line() -> None:
    rows = [
        {"title": "A", "doi": "10.1000/a", "abstract": "x"},
        {"title": "B", "doi": "10.1000/A", "abstract": ""},
        {"title": "", "abstract": "no title"},
        {"title": "C", "doi": "not one", "year": "soon"},
    ]
    read = read_abstracts("\n".join(map(json.dumps, rows)).encode(), "a.jsonl")
    assert [each.title for each in read.papers] == ["A", "B"]
    assert read.entries == 4
    assert [(fault.line, fault.field) for fault in read.faults] == [(3, "title"), (4, "doi"), (4, "publication_date")]


def test_a_file_of_something_else_is_refused() -> None:
    with pytest.raises(BadInput, match="neither BibTeX nor RIS nor a CSV file with a title column"):
        read_abstracts(b"treatment,outcome\nTax,Sales\n", "x.txt")
    assert kind_of("x.csv", b"source,target\nA,B\n") is FileKind.GRAPHS
    triplets = b"title,abstract,treatment,outcome\nT,A,Tax,Sales\n"
    assert kind_of("x.csv", triplets) is FileKind.TRIPLETS
