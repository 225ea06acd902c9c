"""Tables of samples in a study: looked at, imported whole or not at all, archived, and written as they came."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest
from sqlmodel import func, select

from core.errors import BadRow, Conflict, Missing, Refused
from exchange.recite import ReciteRow, write_default
from services.graphs import sample_tables
from services.study import Study
from store.tables import SampleRow, SampleTableRow, new_id
from store.tables.runs import RunTextRow
from tests.services.acts import Act


def act() -> Act:
    return {"act_id": new_id()}


def table(*texts: str | None, nodes: tuple[str, ...] = ("A", "B")) -> bytes:
    rows = [
        ReciteRow(id=number, title=f"Paper {number}", nodes=nodes, edges=(("A", "B"),), input_text=text)
        for number, text in enumerate(texts, 1)
    ]
    return write_default(rows)


@pytest.mark.both
def test_a_table_is_seen_imported_listed_and_written_again(study: Study, people: SimpleNamespace) -> None:
    content = table("A makes B.", "A makes B.", None)
    look = sample_tables.preview_samples(people.researcher, "mine.parquet", content)
    assert (look.samples, look.with_text, look.known, look.error) == (3, 2, "", "")
    assert look.notices[0].endswith("1 has no text and is left out of runs: id 3.")
    done = sample_tables.import_samples(
        people.researcher, "mine.parquet", content, with_faulty=False, licence="CC0", **act()
    )
    assert done.subject_id == sample_tables.table_id(content)
    (line,) = sample_tables.sample_tables(people.researcher)
    assert (line.title, line.licence, line.samples, line.with_text) == ("mine", "CC0", 3, 2)
    assert sample_tables.export_samples(people.researcher, line.id).content == content
    again = sample_tables.preview_samples(people.researcher, "other.parquet", content)
    assert again.known == "mine"
    with pytest.raises(Refused, match="already in the study, as “mine”"):
        sample_tables.import_samples(people.researcher, "other.parquet", content, with_faulty=False, **act())
    with study.store.reading() as session:
        assert session.exec(select(func.count()).select_from(RunTextRow)).one() == 1  # equal texts are kept once


@pytest.mark.both
def test_a_table_is_archived_restored_and_licensed_against_the_version_that_was_seen(
    study: Study, people: SimpleNamespace
) -> None:
    key = sample_tables.import_samples(
        people.researcher, "a.parquet", table("T"), with_faulty=False, **act()
    ).subject_id
    sample_tables.archive_samples(people.researcher, key, True, seen=1, **act())
    assert sample_tables.sample_tables(people.researcher) == ()
    with pytest.raises(Conflict):
        sample_tables.set_samples_licence(people.researcher, key, "CC0", seen=1, **act())
    sample_tables.set_samples_licence(people.researcher, key, " CC0 ", seen=2, **act())
    sample_tables.archive_samples(people.researcher, key, False, seen=3, **act())
    assert [each.licence for each in sample_tables.sample_tables(people.researcher)] == ["CC0"]


def test_faulty_rows_keep_a_table_out_until_it_is_said_otherwise(study: Study, people: SimpleNamespace) -> None:
    rows = [ReciteRow(id="a", edges=(("A", "B"),), input_text="T"), ReciteRow(id="a", edges=(("A", "B"),))]
    content = write_default(rows)
    with pytest.raises(BadRow, match="an id of its own; row 1 has this one"):
        sample_tables.import_samples(people.researcher, "x.parquet", content, with_faulty=False, **act())
    with study.store.reading() as session:
        assert session.exec(select(func.count()).select_from(SampleTableRow)).one() == 0
    sample_tables.import_samples(people.researcher, "x.parquet", content, with_faulty=True, **act())
    with study.store.reading() as session:
        assert session.exec(select(func.count()).select_from(SampleRow)).one() == 1


def test_a_large_table_is_read_by_the_child_to_the_same_bytes(study: Study, people: SimpleNamespace) -> None:
    draw = random.Random(1)
    texts = ["".join(draw.choices("abcdefgh ", k=2_000)) for _ in range(40)]
    content = table(*texts)
    key = sample_tables.import_samples(people.researcher, "x.parquet", content, with_faulty=False, **act()).subject_id
    assert sample_tables.export_samples(people.researcher, key).content == content


def test_what_is_no_table_says_why(study: Study, people: SimpleNamespace) -> None:
    look = sample_tables.preview_samples(people.researcher, "x.parquet", b"PAR1 and nothing")
    assert "x.parquet" in look.error
    with pytest.raises(Missing):
        sample_tables.import_samples(people.researcher, "x.parquet", write_default([]), with_faulty=True, **act())
    with pytest.raises(Missing):
        sample_tables.export_samples(people.researcher, "no such table")
