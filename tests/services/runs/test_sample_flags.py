"""Flags of bad samples: in every run that asks the sample, taken back, and hidden from those who work on it blind."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from types import SimpleNamespace

import pytest
from sqlmodel import select

from core.errors import BadInput, Conflict, Missing, Refused
from core.people import Viewer
from core.runs.filters import FailureFilters
from core.runs.sample_flags import FlagReason
from exchange.result_frame import FrameForm
from services.failures import failures
from services.results import files as result_files
from services.runs import sample_flags
from services.runs.exports.files import export_run
from services.runs.views import SampleFlag
from services.study import Study
from services.triplets import reading
from store.tables import EventRow, new_id
from store.tables.runs import RunItemRow, RunSampleRow
from store.triplets import scores
from tests.pages.run_screens import done, triplets
from tests.services.scoring_parts import take

WRONG, LEAKS, AMBIGUOUS = FlagReason


def items_of(viewer: Viewer, run: str) -> dict[str, str]:
    """Key of each sample of a run of one model → its item."""
    return {line.key: line.item_id for line in failures.failures(viewer, FailureFilters(runs=(run,))).lines}


def frame_export(viewer: Viewer, runs: list[str]) -> list[dict[str, str]]:
    exported, _many = result_files.export_items(viewer, runs, FrameForm.CSV)
    return list(csv.DictReader(io.StringIO(exported.content.decode("utf-8-sig"))))


def flag_of(viewer: Viewer, item: str) -> SampleFlag:
    return failures.item(viewer, item).flag


def flag(viewer: Viewer, item: str, *reasons: FlagReason, note: str = "", seen: int = 0) -> None:
    sample_flags.flag(viewer, item, reasons, note, seen=seen, act_id=new_id())


@pytest.mark.both
def test_a_flag_holds_in_every_run_that_asks_the_sample_until_it_is_taken_back(
    study: Study, people: SimpleNamespace
) -> None:
    collection = triplets(people.researcher, 4)
    one, other = (
        items_of(people.reviewer, done(study, people.researcher, collection, baselines=(name,)))
        for name in ("always-plus", "majority")
    )
    key = min(one)
    flag(people.reviewer, one[key], AMBIGUOUS, WRONG, note=" It is −. ")
    shown = flag_of(people.owner, other[key])
    assert (shown.reasons, shown.note, shown.version) == ((WRONG, AMBIGUOUS), "It is −.", 1)
    assert shown.who and flag_of(people.reviewer, one[key]).who == "you"
    assert flag_of(people.owner, other[max(other)]) == SampleFlag()
    with pytest.raises(Conflict):
        flag(people.owner, other[key], LEAKS)
    flag(people.owner, other[key], seen=1)
    assert flag_of(people.reviewer, one[key]).reasons == () and flag_of(people.reviewer, one[key]).note == ""
    flag(people.reviewer, one[key], LEAKS, seen=2)
    assert flag_of(people.owner, other[key]).reasons == (LEAKS,)
    written = io.BytesIO()
    export_run(people.owner, "1", written)
    with zipfile.ZipFile(written) as archive:
        exported = [json.loads(line) for line in archive.read("items.jsonl").splitlines()]
    assert {each["key"]: each["sample_flags"] for each in exported if each["sample_flags"]} == {key: ["answer leaks"]}
    items = frame_export(people.owner, ["2"])
    assert [row["fact.flag"] for row in items if row["sample"].endswith(f"/{key}")] == ["answer leaks"]
    with study.store.reading() as session:
        events = session.exec(select(EventRow).where(EventRow.subject_kind == "sample_flag")).all()
    assert [event.act for event in events] == ["sample.flag", "sample.unflag", "sample.flag"]
    assert events[0].payload["reasons"] == ["label wrong", "ambiguous"] and events[0].payload["note"] == "It is −."


def test_a_long_note_nothing_to_undo_and_no_item_are_refused(sqlite_study: Study, people: SimpleNamespace) -> None:
    run = done(sqlite_study, people.researcher, triplets(people.researcher, 2))
    item = min(items_of(people.reviewer, run).values())
    with pytest.raises(BadInput, match="501 characters; it may have 500"):
        flag(people.reviewer, item, WRONG, note="x" * 501)
    with pytest.raises(BadInput, match="not flagged"):
        flag(people.reviewer, item)
    with pytest.raises(Missing):
        flag(people.reviewer, "none", WRONG)
    with pytest.raises(Refused):
        flag(people.annotator, item, WRONG)


@pytest.mark.both
def test_a_flag_of_a_triplet_is_hidden_from_the_person_scoring_it_and_not_given_to_one_who_saw_it(
    study: Study, people: SimpleNamespace
) -> None:
    done(study, people.researcher, triplets(people.researcher, 2), baselines=("always-plus",))
    in_hand = reading.triplet(people.researcher, take(people.researcher), with_evidence=False).triplet_id
    with study.store.reading() as session:
        rows = session.exec(select(RunItemRow.id, RunSampleRow.subject_id).join(RunSampleRow)).all()
    scored, other = sorted((item for item, _ in rows), key=lambda item: dict(rows)[item] != in_hand)
    for item in (scored, other):
        flag(people.reviewer, item, WRONG, note="The paper says −.")
    assert flag_of(people.researcher, scored) == SampleFlag(version=1)
    assert flag_of(people.researcher, other).reasons == (WRONG,)
    with study.store.reading() as session:
        assert scores.seen_by(session, people.researcher.person_id) == {dict(rows)[other]}
        assert not scores.seen_by(session, people.reviewer.person_id)
