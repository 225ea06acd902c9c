"""References: three formats to one value, accents and DOIs made plain, every fault with its line."""

from __future__ import annotations

import re

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


VALUES = {
    '"A" # " and " # "B"': "A and B",
    "{Part one } # { and two}": "Part one and two",
    '{A} # " {B} and " # 3': "A B and 3",
    'lakes # " and " # LAKES': "Lakes & rivers and Lakes & rivers",
    '"On {"}quotes{"} today"': 'On "quotes" today',
    "{A # B}": "A # B",
    "{{Whole} title}": "Whole title",
    '"A, = B"': "A, = B",
}


@pytest.mark.parametrize(("value", "title"), VALUES.items())
def test_texts_joined_by_a_number_sign_are_one_text(value: str, title: str) -> None:
    strings = "@string{river = {Lakes \\& rivers}}\n@string{lakes = river}\n"
    read = read_references(f"{strings}@article{{a, title = {value}, year = 2020}}".encode(), "papers.bib")
    assert (read.faults, read.notices) == ((), ())
    assert [(each.title, each.publication_date) for each in read.references] == [(title, "2020")]


@pytest.mark.parametrize(
    ("fields", "title", "date"),
    [
        ("title = {No comma} year = 2021, author = {X, Y}", "No comma", "2021"),
        ('author = "X, Y", title = "No comma" year = "2021"', "No comma", "2021"),
        ("title = {No comma}\n  year = 2021\n  author = {X, Y}", "No comma", "2021"),
        ("author = {X, Y}, title = {No} # { comma} month = may year = 2021", "No comma", "2021-05"),
    ],
)
def test_a_missing_comma_is_told_and_no_field_is_lost(fields: str, title: str, date: str) -> None:
    read = read_references(f"@article{{e, {fields}}}".encode(), "papers.bib")
    assert [(each.title, each.publication_date, each.authors) for each in read.references] == [(title, date, ("X, Y",))]
    assert all("a comma is missing before" in notice for notice in read.notices)
    assert len(read.notices) == fields.count("=") - 1 - fields.count(", author") - fields.count(", title")


def test_values_that_cannot_be_one_are_faults_with_what_is_expected() -> None:
    content = b"""@article{a, title = {A} {B}}
@article{b, title = {A} # , year = 2020}
@article{c title = {A}, year = 2020}
@article{d, title = "A" = {B}}
@article{e, title = "{A" # {B}}, year = 2020}
"""
    read = read_references(content, "papers.bib")
    assert read.references == ()
    assert [fault.line for fault in read.faults] == [1, 2, 3, 4, 5]
    assert [re.search("expected .*|not closed", fault.expected, re.I) is not None for fault in read.faults] == [
        True
    ] * 5


def test_an_abbreviation_that_is_not_defined_is_kept_by_name_and_told() -> None:
    read = read_references(b"@article{a, title = {A}, journal = jacm, note = odd, month = dec, year = 2020}", "p.bib")
    assert (read.references[0].source, read.references[0].publication_date) == ("jacm", "2020-12")
    assert read.notices == ("line 1, journal: the abbreviation jacm is not defined in this file; its name was kept.",)


@pytest.mark.parametrize(
    ("month", "date"),
    [('"12~" # oct', "2020-10-12"), ("oct # {~3}", "2020-10-03"), ("{October}", "2020-10"), ('"41~" # oct', "2020-10")],
)
def test_a_month_may_have_its_day(month: str, date: str) -> None:
    read = read_references(f"@article{{a, title = {{A}}, month = {month}, year = 2020}}".encode(), "p.bib")
    assert (read.references[0].publication_date, read.notices) == (date, ())


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("@article{a, title = {A}, author = {Roe, B. and others}}", "p.bib"),
        ("@article{a, title = {A}, author = {Roe, B. and et al.}}", "p.bib"),
        ("TY  - JOUR\nTI  - A\nAU  - Roe, B.\nAU  - et al.\nER  - \n", "p.ris"),
        ('title,authors\nA,"Roe, B.; et al"\n', "p.csv"),
    ],
)
def test_others_are_no_author(content: str, name: str) -> None:
    read = read_references(content.encode(), name)
    assert read.references[0].authors == ("Roe, B.",)
    assert "which is no author" in read.notices[0]


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


TAGS = ("TY", "TI", "AU", "PY", "ER")
SPACINGS = {
    "one space": "{} - {}",
    "no space behind the dash": "{}  -{}",
    "one space and none behind": "{} -{}",
    "none before the dash": "{}- {}",
    "three spaces": "{}   - {}",
    "tabs": "{}\t-\t{}",
    "a long dash": "{}  \u2013 {}",
    "indented": "  {}  - {}",
}


@pytest.mark.parametrize("form", SPACINGS.values(), ids=SPACINGS)
@pytest.mark.parametrize("name", ["papers.ris", "papers.txt"])
def test_ris_tags_that_are_spaced_otherwise_are_read_with_a_notice(form: str, name: str) -> None:
    said = dict(zip(TAGS, ("JOUR", "A causal loop diagram", "Roe, B.", "2021", ""), strict=True))
    other = "\n".join(form.format(tag, value) for tag, value in said.items())
    read = read_references(f"{RIS}{other}\n\n{RIS.replace('3390', '3391')}".encode(), name)
    assert read.faults == ()
    assert [each.title for each in read.references] == ["A causal loop diagram"] * 3
    assert read.references[1].authors == ("Roe, B.",)
    assert read.references[1].publication_date == "2021"
    assert read.lines == (1, 14, 20)
    (notice,) = read.notices
    assert "from line 14 on" in notice


def test_lines_of_an_abstract_are_no_tags() -> None:
    lines = "Short.\nPM - particulate matter\n  CO-operation\nCO - carbon monoxide"
    read = read_references(RIS.replace("Short.", lines).encode(), "papers.ris")
    assert read.references[0].abstract == "Short. PM - particulate matter CO-operation CO - carbon monoxide"
    assert read.notices == ()


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
