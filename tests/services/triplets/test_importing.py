"""Importing and exporting triplets: the real files whole on both databases, once only, all or nothing, with licence."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import pytest
from sqlmodel import func, select

from core.errors import BadInput, BadRow, Conflict, Missing, Refused
from core.papers.papers import PaperReference
from core.sign import Sign
from exchange.triplet_rows import TripletForm
from services.papers import importing
from services.study import Study
from services.triplets import exporting, lists
from services.triplets import importing as triplet_importing
from store.tables import CriticScoreRow, EventRow, TripletPaperRow, TripletRow
from tests.services.scoring_parts import act, bring_in, critics, file_of, rows_of

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "econcausal"
FILES = ("task1_econ", "task1_finance", "task2", "task3")


def counted(study: Study, table: Any) -> int:
    with study.store.reading() as session:
        return int(session.exec(select(func.count()).select_from(table)).one())


# --- the published files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
@pytest.mark.both(usually=False)
def test_a_published_file_goes_in_and_out_without_losing_a_cell(
    name: str, study: Study, people: SimpleNamespace
) -> None:
    path = DATA / f"{name}.jsonl"
    if not path.is_file():
        pytest.skip(f"{path} is not on this machine")
    content = path.read_bytes()
    rows = [json.loads(line) for line in content.decode().split("\n") if line]
    found = triplet_importing.preview(people.researcher, path.name, content)
    assert (found.rows, found.triplets, found.faulty, found.licence) == (len(rows), len(rows), 0, "CC-BY-NC-4.0")
    key = triplet_importing.import_triplets(
        people.researcher, path.name, content, with_faulty=False, **act()
    ).subject_id
    (kept,) = lists.collections(people.researcher)
    years = [year for year in kept.years if year is not None]
    print(name, dict(kept.signs), dict(kept.venues), f"{min(years)}-{max(years)}")
    signs = Counter(row["sign"] for row in rows)
    assert {sign.value: number for sign, number in kept.signs.items()} == signs
    assert kept.signs == found.signs and kept.years == found.years and kept.venues == found.venues
    assert kept.years == Counter(row["publication_year"] for row in rows)
    assert kept.papers == len({row["paper_id"] for row in rows})
    with study.store.reading() as session:
        stored = session.exec(select(TripletRow.sign).where(TripletRow.collection == key)).all()
    assert Counter(stored) == signs and None not in stored, "the sign None is a word on this database too"
    out = exporting.export_triplets(people.researcher, key, TripletForm.JSONL)
    assert out.content == re.sub(rb"(: )NaN([,}])", rb"\1null\2", content)


# --- once, whole, or not at all ----------------------------------------------------------------------------------


@pytest.mark.both
def test_the_same_file_is_recognised_and_not_imported_again(study: Study, people: SimpleNamespace) -> None:
    content = file_of(rows_of(3))
    assert triplet_importing.preview(people.owner, "a.jsonl", content).known == ""
    once = act()
    first = triplet_importing.import_triplets(people.owner, "a.jsonl", content, with_faulty=False, title="Mine", **once)
    again = triplet_importing.import_triplets(people.owner, "a.jsonl", content, with_faulty=False, **once)
    assert (again.is_repeat, again.subject_id) == (True, first.subject_id)
    assert triplet_importing.preview(people.owner, "b.jsonl", content).known == "Mine"
    with pytest.raises(Refused, match="“Mine”"):
        triplet_importing.import_triplets(people.owner, "b.jsonl", content, with_faulty=False, **act())
    assert counted(study, TripletRow) == 3


@pytest.mark.both
def test_two_who_import_one_file_at_once_make_one_collection(study: Study, people: SimpleNamespace) -> None:
    content, gate = file_of(rows_of(40, critics=critics(3, 3, 3, 3, 3, 3))), Barrier(2)

    def run(viewer: Any) -> str:
        gate.wait(30)
        try:
            triplet_importing.import_triplets(viewer, "a.jsonl", content, with_faulty=False, **act())
        except Refused:
            return "refused"
        return "kept"

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(run, (people.owner, people.researcher))) == ["kept", "refused"]
    assert counted(study, TripletRow) == 40 and counted(study, CriticScoreRow) == 40 * 18


@pytest.mark.both
def test_a_faulty_row_stops_the_import_unless_it_is_to_be_left_out(study: Study, people: SimpleNamespace) -> None:
    rows = [*rows_of(2), {"treatment": "a", "outcome": "b", "sign": None}]
    content = file_of(rows)
    found = triplet_importing.preview(people.owner, "a.jsonl", content)
    assert (found.triplets, [(fault.line, fault.field) for fault in found.faults]) == (2, [(3, "sign")])
    with pytest.raises(BadRow, match="line 3, sign"):
        triplet_importing.import_triplets(people.owner, "a.jsonl", content, with_faulty=False, **act())
    assert counted(study, TripletRow) == counted(study, TripletPaperRow) == 0
    key = triplet_importing.import_triplets(people.owner, "a.jsonl", content, with_faulty=True, **act()).subject_id
    with study.store.reading() as session:
        (event,) = session.exec(select(EventRow).where(EventRow.subject_id == key)).all()
    assert (event.act, event.payload["left_out"], event.payload["triplets"]) == ("triplets.import", 1, 2)


def test_what_cannot_be_read_is_an_answer_of_the_preview_and_an_error_of_the_import(people: SimpleNamespace) -> None:
    for content in (b"", b"a,b\n1,2\n", b"PAR1"):
        assert triplet_importing.preview(people.owner, "x", content).error.startswith("x")
        with pytest.raises(BadInput):
            triplet_importing.import_triplets(people.owner, "x", content, with_faulty=True, **act())
    latin = file_of(rows_of(1, context="Zürich")).decode().encode("cp1252")
    found = triplet_importing.preview(people.owner, "x", latin)
    assert found.encodings and found.encodings[0].encoding == "cp1252"
    with pytest.raises(Missing):
        bad = file_of([{"treatment": "a", "outcome": "b", "sign": "?"}])
        triplet_importing.import_triplets(people.owner, "x", bad, with_faulty=True, **act())


# --- values on the database --------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_every_form_gives_back_what_a_file_with_scores_held(study: Study, people: SimpleNamespace) -> None:
    rows = rows_of(4, critics=critics(3, 2, 1, 0, 3, 3), score_sum=12.0, evidence=["One – two.", "«Three»"], note=None)
    key = bring_in(people.owner, rows)
    for form in TripletForm:
        out = exporting.export_triplets(people.owner, key, form)
        back = triplet_importing.import_triplets(
            people.owner,
            out.name,
            out.content + (b"\n" if form is TripletForm.JSONL else b""),
            with_faulty=False,
            **act(),
        ).subject_id
        again = exporting.export_triplets(people.owner, back, TripletForm.JSONL).content
        assert [json.loads(line) for line in again.decode().splitlines()] == rows
    (first, *_) = lists.collections(people.owner)
    assert first.critics == ("critic 0", "critic 1", "critic 2")


@pytest.mark.both
def test_an_abstract_belongs_to_its_paper_and_goes_out_as_it_came(study: Study, people: SimpleNamespace) -> None:
    rows = rows_of(3, abstract="We find that it rises.")
    rows[1]["paper_id"], rows[1]["abstract"], rows[2]["abstract"] = rows[0]["paper_id"], "Otherwise.", None
    key = bring_in(people.owner, rows)
    with study.store.reading() as session:
        papers = {row.external_id: row.abstract for row in session.exec(select(TripletPaperRow))}
    assert papers == {"1": "We find that it rises.", "3": ""}
    out = exporting.export_triplets(people.owner, key, TripletForm.JSONL).content
    assert [json.loads(line) for line in out.decode().splitlines()] == rows


@pytest.mark.both
def test_a_column_that_an_earlier_version_kept_beside_its_triplets_still_goes_out(
    study: Study, people: SimpleNamespace
) -> None:
    key = bring_in(people.owner, rows_of(1, abstract="As it came."))
    with study.store.writing() as session:  # as it was kept before papers had abstracts
        session.exec(select(TripletRow)).one().details = {"abstract": "As it came."}
        session.exec(select(TripletPaperRow)).one().abstract = ""
    (row,) = exporting.export_triplets(people.owner, key, TripletForm.JSONL).content.decode().splitlines()
    assert json.loads(row)["abstract"] == "As it came."


def test_a_licence_is_kept_changed_and_carried_along(people: SimpleNamespace) -> None:
    rows = rows_of(1, published_venue="Econometrica", paper_url="https://example.org/1")
    key = bring_in(people.owner, rows)
    assert exporting.export_triplets(people.owner, key, TripletForm.CSV).licence == "CC-BY-NC-4.0"
    triplet_importing.set_licence(people.owner, key, "CC0-1.0", seen=1, **act())
    with pytest.raises(Conflict):
        triplet_importing.set_licence(people.owner, key, "MIT", seen=1, **act())
    packed = exporting.export_triplets(people.owner, key, TripletForm.CSV, with_licence=True)
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        assert archive.namelist() == ["triplets.csv", "licence.txt"]
        assert "Licence: CC0-1.0" in archive.read("licence.txt").decode()
    other = file_of(rows_of(2))
    key = triplet_importing.import_triplets(
        people.owner, "b.jsonl", other, with_faulty=False, licence="", **act()
    ).subject_id
    assert exporting.export_triplets(people.owner, key, TripletForm.JSONL).licence == ""


@pytest.mark.both
def test_papers_of_the_study_are_recognised_by_doi_address_and_title_and_never_by_a_common_word(
    study: Study, people: SimpleNamespace
) -> None:
    importing.add_reference(people.owner, PaperReference(title="Wages in a small town", doi="10.1000/abc"), **act())
    importing.add_reference(people.owner, PaperReference(title="Comment"), **act())
    rows: list[dict[str, object]] = [
        {"paper_id": 1, "title": "Other", "paper_url": "https://doi.org/10.1000/ABC"},
        {"paper_id": 2, "title": "Wages in a  Small Town."},
        {"paper_id": 3, "title": "Comment"},
        {"paper_id": 4},
        {"paper_id": 5, "title": "Later than these"},
    ]
    content = file_of([row | {"treatment": "a", "outcome": "b", "sign": "+"} for row in rows])
    assert triplet_importing.preview(people.owner, "a", content).in_study == 2
    triplet_importing.import_triplets(people.owner, "a", content, with_faulty=False, **act())
    assert linked(study) == ["1", "2"]
    importing.add_reference(people.owner, PaperReference(title="Later than these"), **act())
    triplet_importing.link_papers(people.owner, **act())
    assert linked(study) == ["1", "2", "5"]


def linked(study: Study) -> list[str]:
    with study.store.reading() as session:
        rows = session.exec(select(TripletPaperRow).where(TripletPaperRow.paper_id != None))  # noqa: E711
        return sorted(row.external_id for row in rows)


# --- lists -------------------------------------------------------------------------------------------------------


def test_pages_are_searched_and_filtered_and_never_hold_a_score(people: SimpleNamespace) -> None:
    rows = rows_of(30, published_venue="Journal of Finance", critics=critics(1, 1, 1, 1, 1, 1, reason="Secret"))
    rows[7]["published_venue"] = "journal_of_finance"
    rows[8]["title"] = "100 % of _it_"
    key = bring_in(people.owner, rows)
    every = lists.triplets_of(people.expert, key, offset=10, limit=7)
    assert (every.total, [line.place for line in every.lines]) == (30, list(range(11, 18)))
    assert "Secret" not in repr(lists.triplets_of(people.expert, limit=500))
    assert lists.triplets_of(people.expert, sign=Sign.NONE).total == 15
    assert lists.triplets_of(people.expert, year=1995).total == 1
    assert lists.triplets_of(people.expert, venue="Journal of Finance").total == 30
    assert lists.triplets_of(people.expert, venue="Nature").total == 0
    found = lists.triplets_of(people.expert, search="effect CAUSE 29")
    assert [(line.treatment, line.paper_title) for line in found.lines] == [
        ("Cause 28", "Paper number 29"),
        ("Cause 29", "Paper number 30"),
    ]
    assert [line.place for line in lists.triplets_of(people.expert, search="% _it_").lines] == [9]
    with pytest.raises(Missing):
        lists.triplets_of(people.expert, "no such collection")
    with pytest.raises(BadInput):
        lists.triplets_of(people.expert, limit=0)


def test_an_archived_collection_leaves_the_lists_and_comes_back_whole(people: SimpleNamespace) -> None:
    key = bring_in(people.owner, rows_of(3))
    triplet_importing.archive_collection(people.owner, key, True, seen=1, **act())
    assert lists.collections(people.owner) == ()
    assert lists.triplets_of(people.owner).total == 0
    (kept,) = lists.collections(people.owner, with_archived=True)
    assert (kept.is_archived, kept.triplets) == (True, 3)
    triplet_importing.archive_collection(people.owner, key, False, seen=kept.version, **act())
    assert lists.triplets_of(people.owner).total == 3
