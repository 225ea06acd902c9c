"""Triplet files: the word None, bare NaN, JSON in texts, long rows; out goes what came in; every fault is named."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UnknownEncoding, UnreadableFile
from core.sign import Sign
from core.triplets.criteria import Criterion
from core.triplets.venues import venue_name
from exchange import triplet_rows
from exchange.econcausal import TripletFile, read_triplets
from exchange.econcausal_writing import write_triplets
from exchange.jel_table import read_jel
from exchange.triplet_rows import TripletForm
from tests.everything import usual

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "econcausal"
FILES = ("task1_econ", "task1_finance", "task2", "task3")
ALIKE = ("task1_finance", "task2")
"""Files with the columns of another."""


def real(name: str) -> bytes:
    path = DATA / name
    if not path.is_file():
        pytest.skip(f"{path} is not on this machine")
    return path.read_bytes()


def lines(*rows: Any) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def row(**cells: Any) -> dict[str, Any]:
    return {"treatment": "Rain", "outcome": "Harvest", "sign": "+", **cells}


def written(read: TripletFile, form: TripletForm = TripletForm.JSONL, **how: Any) -> bytes:
    return write_triplets(read.records, read.columns, form, **how)


def with_null(content: bytes) -> bytes:
    """The one normalisation of a published file: a bare NaN is null."""
    return re.sub(rb"(: )NaN([,}])", rb"\1null\2", content)


# --- the published files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_a_published_file_goes_out_byte_for_byte_but_for_nan(name: str) -> None:
    content = real(f"{name}.jsonl")
    read = read_triplets(content, name)
    assert read.faults == () and len(read.records) == content.count(b"\n")
    assert written(read) == with_null(content)
    assert b"NaN" not in written(read)


@pytest.mark.parametrize("name", FILES)
def test_counts_of_signs_years_and_venues_are_those_of_the_file(name: str) -> None:
    rows = [json.loads(line) for line in real(f"{name}.jsonl").decode().split("\n") if line]
    records = read_triplets(real(f"{name}.jsonl"), name).records
    signs = Counter(record.sign.value for record in records)
    print(name, dict(signs), Counter(venue_name(record.paper.venue) for record in records).most_common(3))
    assert signs == Counter(each["sign"] for each in rows)
    assert signs["None"] > 0, "the sign None is there, and is no missing value"
    assert Counter(r.paper.year for r in records) == Counter(each["publication_year"] for each in rows)
    assert Counter(r.paper.venue for r in records) == Counter(each["published_venue"] for each in rows)


@pytest.mark.parametrize("form", [TripletForm.CSV, TripletForm.PARQUET])
@pytest.mark.parametrize("name", usual(FILES, *ALIKE))
def test_a_published_file_survives_csv_and_parquet_and_their_way_back(name: str, form: TripletForm) -> None:
    content = real(f"{name}.jsonl")
    there = written(read_triplets(content, name), form)
    back = read_triplets(there, "other")
    assert (back.form, back.faults) == (form, ())
    assert written(back) == with_null(content)
    assert written(back, form) == there


@pytest.mark.parametrize("name", usual(FILES, *ALIKE))
def test_a_csv_export_holds_what_pandas_writes_and_pandas_reads_its_signs(name: str) -> None:
    content = real(f"{name}.jsonl")
    mine = list(csv.reader(io.StringIO(written(read_triplets(content, name), TripletForm.CSV).decode(), newline="")))
    frame = pd.DataFrame([json.loads(line) for line in content.decode().split("\n") if line])
    theirs = list(csv.reader(io.StringIO(frame.to_csv(index=False), newline="")))
    assert mine == theirs


def test_spellings_of_a_venue_stay_and_count_as_one() -> None:
    records = read_triplets(real("task3.jsonl"), "task3").records
    spelled = {record.paper.venue for record in records if venue_name(record.paper.venue) == "American Economic Review"}
    assert spelled == {"american_economic_review", "American Economic Review"}


def test_numeric_codes_and_unusual_characters_are_kept() -> None:
    records = read_triplets(real("task1_econ.jsonl"), "task1").records
    assert any(record.paper.jel_codes == "820, 912, H, J" for record in records)
    assert sum("\u2011" in record.context for record in records) > 100
    assert {letter for record in records for letter in record.paper.jel_letters} <= set("ABCDEFGHIJKLMNOPQRYZ")


def test_the_jel_table_is_joined_where_a_file_says_nothing_and_the_export_does_not_change() -> None:
    table = read_jel(real("jel.csv"), "jel.csv")
    assert (table.rows, len(table.codes), table.faults) == (100_914, 32_531, ())
    content = real("task2.jsonl").replace(b'"jel_codes": "J, 824"', b'"jel_codes": NaN')
    plain, joined = read_triplets(content, "t"), read_triplets(content, "t", jel=table)
    paper = next(record.paper for record in joined.records if record.paper.external_id == "2983")
    assert set((paper.jel_codes or "").split(", ")) == {"J", "824"}
    assert paper.jel_letters == ("J",)
    assert written(joined) == written(plain) == with_null(content)


# --- values ------------------------------------------------------------------------------------------------------


def test_the_sign_none_nan_and_nothing_are_three_things() -> None:
    content = b'{"treatment": "a", "outcome": "b", "sign": "None", "x": NaN, "y": "None", "z": "", "w": "NaN"}\n'
    read = read_triplets(content, "t")
    (record,) = read.records
    assert record.sign is Sign.NONE
    assert {key: record.details[key] for key in "xyzw"} == {"x": None, "y": "None", "z": "", "w": "NaN"}
    assert read.notices == ("1 bare NaN read as missing; exports write null or nothing.",)


def test_nan_deep_inside_a_value_goes_too() -> None:
    read = read_triplets(b'{"treatment": "a", "outcome": "b", "sign": "-", "x": {"y": [1, NaN]}}', "t")
    assert json.loads(written(read))["x"] == {"y": [1, None]}


def test_types_spellings_and_missing_cells_come_back_as_they_were() -> None:
    rows = [
        row(paper_id="0022", sign="positive", publication_year=1990.0, context=None, evidence="One paragraph."),
        row(paper_id=22, sign="−", publication_year=1990, context="", evidence=["One.", "Two."]),
        row(sign="NO EFFECT", identification_methods="iv; did", title=None, extra={"a": [True, 1, 1.5, "x"]}),
        row(paper_id="w22", jel_codes="", author=["A. Author", "B. Author"], identification_methods=["IV"]),
    ]
    read = read_triplets(lines(*rows), "t")
    assert [json.loads(line) for line in written(read).decode().splitlines()] == rows
    assert [record.sign for record in read.records] == [Sign.PLUS, Sign.MINUS, Sign.NONE, Sign.PLUS]
    assert read.records[2].methods == ("IV", "DiD")
    assert [record.paper.external_id for record in read.records] == ["0022", "22", "?3", "w22"]


def test_a_paper_described_in_two_ways_is_told_and_each_row_comes_back() -> None:
    rows = [row(paper_id=1, title="One"), row(paper_id=1, title="Another", outcome="Price")]
    read = read_triplets(lines(*rows), "t")
    assert {record.paper.title for record in read.records} == {"One"}
    assert "1 row describes a paper differently" in read.notices[0]
    assert [json.loads(line) for line in written(read).decode().splitlines()] == rows


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3),
    max_leaves=6,
)
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=12)


@given(st.lists(st.tuples(TEXT, st.sampled_from(list(Sign)), JSON, JSON, TEXT | st.none()), min_size=1, max_size=5))
def test_whatever_stands_in_unknown_columns_comes_back(found: list[tuple[str, Sign, Any, Any, str | None]]) -> None:
    rows = [
        {"treatment": f"t{text}", "outcome": f"o{text}", "sign": sign.value, "extra": one, "more": two, "context": last}
        for text, sign, one, two, last in found
    ]
    read = read_triplets(lines(*rows), "t")
    assert read.faults == ()
    assert written(read) == lines(*rows)


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=5), st.booleans())
def test_texts_survive_csv_with_and_without_a_mark(found: list[tuple[str, str, str]], spreadsheet: bool) -> None:
    rows = [row(treatment=f"t{a}", outcome=b + "o", context=c) for a, b, c in found]
    read = read_triplets(lines(*rows), "t")
    there = written(read, TripletForm.CSV, spreadsheet=spreadsheet)
    assert there.startswith(b"\xef\xbb\xbf") is spreadsheet
    assert written(read_triplets(there, "t")) == lines(*rows)


def test_a_heading_that_is_a_formula_does_not_run_and_is_read_back() -> None:
    read = read_triplets(lines(row(**{"=1+1": -0.5, "@note": "-"})), "a.jsonl")
    there = written(read, TripletForm.CSV, spreadsheet=True)
    heading, cells = csv.reader(io.StringIO(there.decode("utf-8-sig"), newline=""))
    assert dict(zip(heading, cells, strict=True))["'=1+1"] == "-0.5"
    assert {"'=1+1", "'@note"} <= set(heading)
    assert "=1+1" in read_triplets(there, "a.csv").columns


def test_a_spreadsheet_gets_no_formula_and_its_apostrophe_goes_again() -> None:
    read = read_triplets(lines(row(treatment='=HYPERLINK("x")', outcome="-price", sign="-")), "t")
    there = written(read, TripletForm.CSV, spreadsheet=True)
    assert b"'=HYPERLINK" in there and b",'-price,-\r\n" in there
    back = read_triplets(there, "t")
    assert (back.records[0].treatment, back.records[0].outcome) == ('=HYPERLINK("x")', "-price")
    assert back.notices == ("Removed 2 apostrophes that a spreadsheet put before formulas.",)


# --- critics -----------------------------------------------------------------------------------------------------


def critics(score: Any = 2, reason: str | None = "so") -> dict[str, Any]:
    return {name: {key.value: {"score": score, "reason": reason} for key in Criterion} for name in ("one", "two")}


def test_nested_scores_are_read_and_come_back() -> None:
    rows = [
        row(critics=critics()),
        row(outcome="Price", critics=None),
        row(outcome="Yield", critics={"one": {"sign": 3}}),
    ]
    read = read_triplets(lines(*rows), "t")
    assert [len(record.critics) for record in read.records] == [12, 0, 1]
    assert [json.loads(line) for line in written(read).decode().splitlines()] == rows
    for form in (TripletForm.CSV, TripletForm.PARQUET):
        back = read_triplets(written(read, form), "t")
        assert [record.critics for record in back.records] == [record.critics for record in read.records]
        assert [json.loads(line) for line in written(back).decode().splitlines()] == rows


def test_long_rows_are_gathered_by_triplet_and_come_back() -> None:
    rows = [
        row(outcome=outcome, critic=critic, criterion=key.value, score=1, reason=None)
        for outcome in ("Harvest", "Price")
        for critic in ("one", "two")
        for key in Criterion
    ]
    read = read_triplets(lines(*rows), "t")
    assert read.is_long and read.rows == 24
    assert [(record.outcome, len(record.critics)) for record in read.records] == [("Harvest", 12), ("Price", 12)]
    assert [json.loads(line) for line in written(read).decode().splitlines()] == rows
    mixed = read_triplets(lines(*rows[::2], *rows[1::2]), "t")
    assert written(mixed) == written(read), "rows of one triplet stand together, critics by name"


def test_scores_that_are_made_up_say_so() -> None:
    read = read_triplets(lines(row(critics=critics(), is_synthetic=True), row(outcome="x", critics=critics())), "t")
    assert [{score.is_synthetic for score in record.critics} for record in read.records] == [{True}, {False}]


# --- faults ------------------------------------------------------------------------------------------------------

FAULTS = [
    (row(sign=None), "sign"),
    (row(sign=""), "sign"),
    (row(sign="up"), "sign"),
    (row(sign=float("nan")), "sign"),
    (row(treatment=" "), "treatment"),
    (row(outcome=7), "outcome"),
    (row(publication_year="soon"), "publication_year"),
    (row(publication_year=19900), "publication_year"),
    (row(publication_year=True), "publication_year"),
    (row(paper_id=[1]), "paper_id"),
    (row(identification_methods="IV; magic"), "identification_methods"),
    (row(evidence=[1]), "evidence"),
    (row(score_sum=19), "score_sum"),
    (row(score_sum="high"), "score_sum"),
    (row(example_details="[{]"), "example_details"),
    (row(critics=critics(4)), "critics"),
    (row(critics=critics(1.5)), "critics"),
    (row(critics={"one": {"mood": 1}}), "critics"),
    (row(critics="they liked it"), "critics"),
    (row(is_synthetic="perhaps"), "is_synthetic"),
    (row(context="a\x00b"), "context"),
    (row(context="half of a pair: \ud800"), "context"),
    (row(**{"half \ud800": 1}), "half \ud800"),
    (row(**{"no\x00te": 1}), "no\x00te"),
    (row(note=float("inf")), ""),
    (row(context=["x"]), "context"),
]


def test_every_faulty_row_is_named_with_line_field_and_what_is_right() -> None:
    good = row(paper_id=1)
    content = b"".join(lines(good) + f"{json.dumps(bad)}\n".encode() for bad, _ in FAULTS)
    read = read_triplets(content, "bad.jsonl")
    assert len(read.records) == len(FAULTS)
    assert [(fault.line, fault.field) for fault in read.faults] == [
        (2 * n, field) for n, (_, field) in enumerate(FAULTS, start=1)
    ]
    assert all(fault.file == "bad.jsonl" and fault.expected for fault in read.faults)
    assert read.rows == 2 * len(FAULTS)


def test_broken_lines_are_faults_and_the_rest_is_read() -> None:
    content = b'{"treatment": "a"\n' + lines(row()) + b"[1, 2]\n\n" + b'{"sign": "+", "sign": "-"}\n' + b"[" * 50_000
    read = read_triplets(content, "t")
    assert [fault.line for fault in read.faults] == [1, 3, 5, 6]
    assert "twice" in read.faults[2].expected
    assert len(read.records) == 1


def test_a_line_separator_inside_a_text_ends_no_line() -> None:
    content = '{"treatment": "a\u2028b", "outcome": "c\x85d", "sign": "+"}\r\n'.encode()
    assert [(r.treatment, r.outcome) for r in read_triplets(content, "t").records] == [("a\u2028b", "c\x85d")]


def test_faults_of_a_csv_file_name_the_line_the_row_begins_on() -> None:
    content = b'treatment,outcome,sign\n"a\nb",c,+\nd,e\nf,g,\nh,i,None\n"j,k,+\n'
    read = read_triplets(content, "t.csv")
    assert [(fault.line, fault.field) for fault in read.faults] == [(4, ""), (5, "sign"), (7, "")]
    assert [record.sign for record in read.records] == [Sign.PLUS, Sign.NONE]


@pytest.mark.parametrize(
    ("said", "year"), [("1991", 1991), (" 1991 ", 1991), ("1991.0", 1991), ("", None), (" ", None)]
)
def test_a_year_of_text_is_a_year_and_is_given_back_as_text(said: str, year: int | None) -> None:
    given = row(publication_year=said)
    read = read_triplets(lines(given), "t.jsonl")
    assert ([each.paper.year for each in read.records], read.faults) == ([year], ())
    assert json.loads(written(read))["publication_year"] == said
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([row(year=said), row(year=None)]), out)
    assert [each.paper.year for each in read_triplets(out.getvalue(), "t.parquet").records] == [year, None]


@pytest.mark.parametrize("said", ["soon", "91", "19910", "1991-05", "1491", "0x7c7"])
def test_other_text_is_no_year(said: str) -> None:
    (fault,) = read_triplets(lines(row(publication_year=said), row()), "t.jsonl").faults
    assert (fault.line, fault.field, fault.value) == (1, "publication_year", said)
    assert fault.expected == "a year from 1500 to 2200"


@pytest.mark.parametrize("index", [range(3), (0, 7, 2), (10, 11, 12)])
def test_the_index_that_pandas_writes_is_left_out_with_a_notice(index: Iterable[int]) -> None:
    table = pd.DataFrame({"treatment": "a", "outcome": ["b", "c", "d"], "sign": "+", "note": "x"}, index=list(index))
    read = read_triplets(table.to_csv().encode(), "t.csv")
    assert [each.outcome for each in read.records] == ["b", "c", "d"]
    assert read.columns == ("treatment", "outcome", "sign", "note")
    assert read.notices == ("The first column has no name and numbers the rows, as pandas writes it; it was not read.",)


def test_a_first_column_without_a_name_that_numbers_nothing_is_a_fault_of_its_rows() -> None:
    read = read_triplets(b",treatment,outcome,sign\n0,a,b,+\nfirst,a,c,+\n,a,d,+\n", "t.csv")
    assert [each.outcome for each in read.records] == ["b"]
    assert [str(fault) for fault in read.faults] == [
        "t.csv, line 3: found 'first'; a row's number, since the first column has no name; name the column",
        "t.csv, line 4; a row's number, since the first column has no name; name the column",
    ]
    with pytest.raises(UnreadableFile, match="a column has no name"):
        read_triplets(b"treatment,,outcome,sign\na,b,c,+\n", "t.csv")


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"{}\n", "no row|no column"),
        (b"treatment,outcome\na,b\n", "“sign”"),
        (b"treatment,outcome,sign\n", "no row"),
        (b"treatment,treatment,outcome,sign\na,b,c,+\n", "two columns"),
        (b"PAR1 and then nothing", "Parquet"),
        (lines(row(_given=1)), "_given"),
        (b"<!doctype html><p>", "web page"),
    ],
)
def test_what_is_no_triplet_file_is_refused_whole(content: bytes, match: str) -> None:
    with pytest.raises(UnreadableFile, match=match):
        read_triplets(content, "t")


def test_too_many_rows_and_too_many_bytes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    content = lines(row(), row(outcome="Price"), row(outcome="Yield"))
    monkeypatch.setattr(triplet_rows, "MOST_ROWS", 2)
    with pytest.raises(UnreadableFile, match="more than 2 rows"):
        read_triplets(content, "t")
    parquet = written(read_triplets(content[: content.rindex(b"{")], "t"), TripletForm.PARQUET)
    monkeypatch.setattr(triplet_rows, "MOST_ROWS", 1)
    with pytest.raises(UnreadableFile, match="at most 1 rows"):
        read_triplets(parquet, "t")
    monkeypatch.setattr(triplet_rows, "MOST_BYTES", 10)
    with pytest.raises(UnreadableFile, match="at most"):
        read_triplets(content, "t")


def test_another_encoding_is_asked_for_and_then_read() -> None:
    content = lines(row(context="Z\u00fcrich")).decode().encode("cp1252")
    with pytest.raises(UnknownEncoding):
        read_triplets(content, "t")
    assert read_triplets(content, "t", encoding="cp1252").records[0].context == "Zürich"
    assert read_triplets(lines(row(context="Zürich")).decode().encode("utf-16"), "t").records[0].context == "Zürich"


def test_a_jel_table_names_its_faults_and_reads_any_number_of_a_paper() -> None:
    table = read_jel(b'paper,jel\n"w0022","H"\n"w0022","913"\nw0022,H\nw1,H1111\nw2\n"W12345",j2\n', "jel.csv")
    assert table.of("22") == table.of("w0022") == ("H", "913")
    assert table.of("12345") == ("j2",) and table.of("nobody") == ()
    assert [(fault.line, fault.field) for fault in table.faults] == [(5, "jel"), (6, "")]
    with pytest.raises(UnreadableFile, match="paper and jel"):
        read_jel(b"a,b\n", "jel.csv")


def test_a_parquet_with_times_beyond_ours_is_refused_in_words() -> None:
    table = pa.table({"treatment": ["a"], "outcome": ["b"], "sign": ["+"], "at": pa.array([2**62], pa.duration("s"))})
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    with pytest.raises(UnreadableFile, match=r"t\.parquet .* Parquet"):
        read_triplets(buffer.getvalue(), "t.parquet")
