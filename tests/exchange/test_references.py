"""References: three formats to one value, accents and DOIs made plain, every fault with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadRow, EdgewiseError, UnreadableFile
from core.papers.papers import PaperReference
from exchange.reference_entries import bare_doi, partial_date
from exchange.references import read_references

BIBTEX = rb"""@article{a,
  title = {{\"O}sterreichs {GDP} \& 50\% less},
  author = {M{\"u}ller, Jos\'e and {Barnes and Noble}},
  journal = {PLOS ONE}, year = 2020, month = may,
  doi = {https://doi.org/10.1371/Journal.pone.0195141},
  url = {https://example.org/a%20b~c},
  keywords = {loops, system dynamics}, abstract = {A
  long   text.}
}
"""


def test_bibtex_is_read_with_accents_braces_and_months() -> None:
    read = read_references(BIBTEX, "papers.bib")
    assert read.faults == ()
    assert read.lines == (1,)
    assert read.references == (
        PaperReference(
            title="Österreichs GDP & 50% less",
            authors=("Müller, José", "Barnes and Noble"),
            source="PLOS ONE",
            url="https://example.org/a%20b~c",
            doi="10.1371/journal.pone.0195141",
            publication_date="2020-05",
            abstract="A long text.",
            keywords=("loops", "system dynamics"),
        ),
    )


def test_broken_bibtex_entries_are_reported_and_the_others_kept() -> None:
    content = b"""@article{a, title = {One}, year = {2020}}
@article{b, title = {unclosed
@article{c, title = {Three}, title = {Again}}
@article{a, title = {Four}}
@article{d, year = {20x0}, url = {javascript:alert(1)}, doi = {abc}}
"""
    read = read_references(content, "papers.bib")
    assert [reference.title for reference in read.references] == ["One", "Four"]
    assert [(fault.line, fault.field) for fault in read.faults] == [
        (2, ""),
        (3, ""),
        (5, "title"),
        (5, "url"),
        (5, "doi"),
        (5, "publication_date"),
    ]
    assert any("key a is used twice" in notice for notice in read.notices)


RIS = """TY  - JOUR
AU  - Müller, Anna
AU  - Roe, B.
TI  - A causal loop diagram
JO  - Systems
PY  - 2021
DA  - 2021/03/09/
DO  - 10.3390/systems9010001
UR  - https://www.mdpi.com/x
KW  - loops
AB  - Short.
ER  -

"""


def test_ris_is_read() -> None:
    read = read_references(RIS.encode(), "papers.ris")
    assert read.faults == ()
    assert read.references == (
        PaperReference(
            title="A causal loop diagram",
            authors=("Müller, Anna", "Roe, B."),
            source="Systems",
            url="https://www.mdpi.com/x",
            doi="10.3390/systems9010001",
            publication_date="2021-03-09",
            abstract="Short.",
            keywords=("loops",),
        ),
    )


def test_ris_records_without_an_end_and_stray_lines_are_reported() -> None:
    content = "stray\nTY  - JOUR\nTI  - No end\n" + RIS + "TY  - BOOK\nTI  - Last\n"
    read = read_references(content.encode(), "papers.ris")
    assert [reference.title for reference in read.references] == ["A causal loop diagram"]
    assert read.lines == (4,)
    assert [fault.line for fault in read.faults] == [1, 2, 17]


def test_an_odd_ris_date_gives_way_to_the_year_with_a_notice() -> None:
    read = read_references(RIS.replace("2021/03/09/", "9 March").encode(), "papers.ris")
    assert read.references[0].publication_date == "2021"
    assert "9 March" in read.notices[0]


def test_csv_is_read_with_lists_and_every_fault_together() -> None:
    content = """Title,Authors,Year,DOI,Domains,Licence
One,"Roe, A.; Poe, B.",2020-02,doi:10.1371/X.1,Ecology; Forestry,CC BY 4.0
,x,2020,,,
Three,,2020-13,10.1371/x.1,,
Four,a,b
Five,,,,,
"""
    read = read_references(content.encode(), "papers.csv")
    assert [reference.title for reference in read.references] == ["One", "Five"]
    assert read.references[0].authors == ("Roe, A.", "Poe, B.")
    assert read.references[0].domains == ("Ecology", "Forestry")
    assert read.references[0].licence == "CC BY 4.0"
    assert [(fault.line, fault.field) for fault in read.faults] == [
        (3, "title"),
        (4, "doi"),
        (4, "publication_date"),
        (5, ""),
    ]
    assert "line 2" in read.faults[1].expected


def test_a_csv_with_other_separators_and_an_open_quote_says_so() -> None:
    read = read_references(b'title;doi\nOne, two;\n"Three;\nFour;\n', "papers.csv")
    assert [reference.title for reference in read.references] == ["One, two"]
    assert [fault.line for fault in read.faults] == [3]
    assert "semicolon" in read.notices[0]


def test_a_csv_without_a_title_column_or_with_two_is_refused() -> None:
    with pytest.raises(BadRow, match="needs a column title; found name, doi"):
        read_references(b"name,doi\nA,\n", "papers.csv")
    with pytest.raises(BadRow, match="two columns"):
        read_references(b"title,Title\nA,B\n", "papers.csv")


def test_the_content_decides_where_the_name_does_not() -> None:
    assert read_references(BIBTEX, "papers.txt").references[0].source == "PLOS ONE"
    assert read_references(RIS.encode(), "papers").references[0].source == "Systems"
    assert read_references(b"title\nOne\n", "papers.txt").references[0].title == "One"


@pytest.mark.parametrize(
    ("content", "filename"), [(b"", "a.bib"), (b"hello", "a.txt"), (b"hello", "a.bib"), (b"<html>", "a.ris")]
)
def test_files_that_hold_no_references_are_refused(content: bytes, filename: str) -> None:
    with pytest.raises(UnreadableFile):
        read_references(content, filename)


def test_other_encodings_are_asked_for() -> None:
    content = "title\nÄpfel\n".encode("latin-1")
    with pytest.raises(UnreadableFile, match="Which encoding"):
        read_references(content, "a.csv")
    assert read_references(content, "a.csv", encoding="latin-1").references[0].title == "Äpfel"


@pytest.mark.parametrize(
    "text", ["10.1371/A", "doi:10.1371/a", "https://doi.org/10.1371/a", "http://dx.doi.org/10.1371/A"]
)
def test_a_doi_is_bare_and_lower_case(text: str) -> None:
    assert bare_doi(text) == "10.1371/a"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("2020", "2020"),
        ("2020-5", "2020-05"),
        ("2020/05/12/", "2020-05-12"),
        ("2020///Spring", "2020"),
        ("2024-02-29", "2024-02-29"),
    ],
)
def test_a_date_is_as_exact_as_it_is_known(text: str, plain: str) -> None:
    assert partial_date(text) == plain


@pytest.mark.parametrize("text", ["", "20", "2020-13", "2023-02-29", "May 2020", "2020/123", "0000"])
def test_dates_that_do_not_exist_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        partial_date(text)


@given(
    st.lists(
        st.sampled_from(
            [
                "@article{a,",
                "title={",
                "}",
                '"',
                "\\",
                "$",
                "{",
                "TY  - JOUR\n",
                "ER  - \n",
                "TI  - x\n",
                ",",
                "\n",
                "a",
                "=",
            ]
        ),
        max_size=14,
    ).map("".join),
    st.sampled_from(["a.bib", "a.ris", "a.csv"]),
)
def test_any_text_is_read_or_refused_by_name(text: str, filename: str) -> None:
    try:
        read = read_references(text.encode(), filename)
    except EdgewiseError:
        return
    assert read.references or read.faults
    assert all(reference.title for reference in read.references)
