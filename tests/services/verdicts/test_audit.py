"""The audit of a run counts blind labels of the random draw alone; what reviewers did is taken away by pseudonym."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.errors import Missing
from core.people import Viewer
from core.verdicts.labels import PRESENCE, LabelBlock, Section
from core.verdicts.review import DrawnBy
from core.verdicts.settings import VerdictSettings
from services.queue.work import skip
from services.runs.exports.files import export_run
from services.runs.judge_exposure import look_key
from services.study import Study
from services.verdicts import acts, audit, behind, claims, exporting, reading, settings
from services.verdicts.reading import SheetView
from services.verdicts.work_kind import SHEETS
from store import history
from store.runs import reviewed_verdicts as stored
from store.tables import new_id
from tests.cli.calling import run as call
from tests.services.run_parts import act, place_of
from tests.services.verdicts.handmade import MILL, bring_case
from tests.services.verdicts.reviewing import again, compare, drawn, judged_run, label, rule, take


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def as_the_judge(study: Study, who: Viewer, view: SheetView) -> SheetView:
    """Every item labelled as the honest judge labels it, and compared."""
    with study.store.reading() as session:
        sheet = stored.sheet(session, view.sheet_id)
        assert sheet is not None
        item = stored.judge_item(session, sheet.item_id)
        assert item is not None
        raw = {each[view.section.number_key]: each for each in item.parsed["items"]}
    for each in view.items:
        said = {
            f"{block.value}.{field}": label
            for block in view.section.blocks
            for field, label in (raw[each.number][block.key] if block.key else raw[each.number]).items()
            if field.endswith("_label")
        }
        label(who, view, each.number, said)
        compare(who, view, each.number)
    return again(who, view)


def test_labels_equal_to_the_judges_agree_in_all_and_no_number_moves_by_labels_that_were_not_blind(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    run_id = judged_run(study, people, server, 2, ("judge:honest",))
    assert audit.audit_run(people.reviewer, run_id).judges == {}
    with pytest.raises(Missing, match="has no sheets yet"):
        exporting.export(people.reviewer, run_id)
    drawn(people.researcher, run_id, 40)
    view = as_the_judge(study, people.reviewer, take(people.reviewer))
    acts.submit(people.reviewer, view.assignment_id, seen=view.version, **act())
    first = audit.audit_run(people.reviewer, run_id)
    (found,) = first.judges.values()
    assert found.n == len(view.items)
    assert {each.raw.value for each in found.fields.values()} == {1.0}
    assert all(each.bias.value == pytest.approx(0) for each in found.sections.values())
    # Labels on chosen and stratified sheets, and after a look, change no number.
    with study.store.reading() as session:
        item = next(each for each in stored.judge_items(session, run_id, "judge") if each.facts["items"] > 1)
    chosen = reading.sheet(people.reviewer, claims.choose(people.reviewer, item.item_id, 1, **act()).subject_id)
    label(people.reviewer, chosen, 1)
    rule(people.reviewer, chosen, acts.keep_mine, 1, "too lenient")
    drawn(people.researcher, run_id, 6, DrawnBy.STRATIFIED)
    now = audit.audit_run(people.reviewer, run_id)
    assert (now.judges, now.left_out, now.raters) == (first.judges, {}, 1)
    assert now.other_items == 1
    # Nor do labels on a random sheet that followed a look; they are counted as left out.
    while (other := take(people.researcher)).drawn_by is not DrawnBy.RANDOM:
        skip(people.researcher, SHEETS, other.assignment_id, "another draw", seen=other.version, **act())
    with study.store.reading() as session:
        sheet = stored.sheet(session, other.sheet_id)
        assert sheet is not None
    with study.store.writing() as session:  # as a study of before has it: the sheet was not closed to them
        key = look_key(sheet.answer, sheet.section)
        who = history.Actor(people.researcher.person_id)
        at = study.clock()
        history.record(session, who, "verdict.look", at=at, act_id=new_id(), subject_kind="verdict", subject_id=key)
    for each in other.items:
        label(people.researcher, other, each.number)
        compare(people.researcher, other, each.number)
    now = audit.audit_run(people.reviewer, run_id)
    assert (now.judges, now.people, now.raters) == (first.judges, first.people, 1)
    assert now.corrected == first.corrected
    assert now.left_out == {"a judge's label had been seen before": len(other.items)}

    files = {each.name.rpartition("-")[2]: each.content for each in exporting.export(people.reviewer, run_id)}
    labels = list(csv.DictReader(files["labels.csv"].decode("utf-8-sig").splitlines()))
    assert len({row["rater"] for row in labels}) == 2 and people.reviewer.name not in str(labels)
    assert sum(row["saw_verdict"] == "false" for row in labels) == found.n * len(
        {(r["block"], r["field"]) for r in labels if r["saw_verdict"] == "false"}
    )
    rulings = list(csv.DictReader(files["rulings.csv"].decode("utf-8-sig").splitlines()))
    assert {row["reason"] for row in rulings} == {"too lenient"}

    # The run's export has the same three tables, also as JSON.
    packed = io.BytesIO()
    export_run(people.reviewer, run_id, packed)
    with zipfile.ZipFile(packed) as archive:
        for name, content in files.items():
            assert archive.read(f"review_{name}") == content
        review = json.loads(archive.read("review.json"))
        digests = json.loads(archive.read("manifest.json"))["files"]
        names = archive.namelist()
        reviews = [f"review_{name}.csv" for name in ("sheets", "labels", "rulings")]
        assert names[names.index("attempts.jsonl") + 1 :] == [*reviews, "review.json", "manifest.json"]
        assert people.reviewer.name not in str(review)
    assert [len(review[name]) for name in ("labels", "rulings")] == [len(labels), len(rulings)]
    assert {"review.json", "review_sheets.csv", "review_labels.csv", "review_rulings.csv"} <= digests.keys()
    (whole,) = exporting.export(people.reviewer, run_id, as_json=True)
    assert json.loads(whole.content) == review
    first_seen = {"label_first": True, "hides_models": True}
    assert (review["settings"], review["settings_changes"]) == (first_seen, [])
    for version, wanted in enumerate(
        (VerdictSettings(label_first=False), VerdictSettings(label_first=False, share=0.5))
    ):
        settings.save_settings(people.researcher, wanted, seen=version, **act())
    (whole,) = exporting.export(people.reviewer, run_id, as_json=True)
    now = json.loads(whole.content)
    (change,) = now["settings_changes"]
    assert now["settings"] == change["after"] == first_seen | {"label_first": False}
    assert change["before"] == first_seen and change["at"] >= labels[-1]["set_at"]

    said: dict[str, Any] = json.loads(
        call("verdicts", "audit", "--run", run_id, "--store", place_of(study), "--json").stdout
    )
    (judge,) = said["judges"]
    assert (judge["judge"], judge["variant"], judge["n"]) == ("judge:honest", "names given", found.n)
    assert {each["raw"]["value"] for each in judge["per_field"].values()} == {1.0}


def test_an_answer_labelled_whole_has_an_f1_by_people_and_every_count_of_labels_has_its_items(
    study: Study, people: SimpleNamespace
) -> None:
    run_id = bring_case(people.owner, MILL)
    drawn(people.owner, run_id, 500)
    for _ in Section:
        view = take(people.reviewer)
        if view.section is Section.EDGE_RECALL:
            for each in view.items:
                compare(people.reviewer, label(people.reviewer, view, each.number), each.number)
            view = again(people.reviewer, view)
        else:
            view = as_the_judge(study, people.reviewer, view)
        acts.submit(people.reviewer, view.assignment_id, seen=view.version, **act())
    found = audit.audit_run(people.reviewer, run_id)
    ((judge, whole),) = found.answers.items()
    # Precision: 1 of 5 items by both. Recall: 1 of 7 by the judge; the person calls the three edges matches: 4 of 7,
    # and abstraction broader, which is half of a third part: (1 + 1 + 0.5) / 3.
    edges = 3 * (1 + 1 + 0.5) / 3
    precision, recalls = 1 / 5, (1 / 7, (1 + edges) / 7)
    by_judge, by_person = (2 * precision * each / (precision + each) for each in recalls)
    assert (whole.n, whole.judge.value, whole.person.value) == pytest.approx((1, by_judge, by_person))
    place = (Section.EDGE_RECALL, LabelBlock.ITEM, PRESENCE)
    confusion = found.judges[judge].fields[place].confusion
    assert confusion == {"PRESENCE_NO_MATCH": {"PRESENCE_STRONG_MATCH": 3}}
    items = behind.judge_and_people(
        people.reviewer, run_id, judge, place, ("PRESENCE_NO_MATCH", "PRESENCE_STRONG_MATCH")
    )
    assert [(each.number, each.name) for each in items] == [
        (n, f"{source} → {sink}") for n, (source, sink) in enumerate(MILL.truth, 1)
    ]
    assert behind.judge_and_people(people.reviewer, run_id, judge, place, ("PRESENCE_NO_MATCH",) * 2) == ()


def test_the_command_draws_and_writes_files(
    study: Study, people: SimpleNamespace, server: RunningServer, tmp_path: Any
) -> None:
    run_id = judged_run(study, people, server, 1, ("judge:honest",))
    place = place_of(study)
    asked = ("verdicts", "draw", "--run", run_id, "--by", "stratified", "--items", "8", "--store", place, "--json")
    said = json.loads(call(*asked).stdout)
    assert (said["items"], said["drawn"][0]["by"]) == (8, "stratified")
    again_said = call(*asked)
    assert again_said.returncode == 1
    assert b"weights hold for one draw" in again_said.stderr + again_said.stdout
    call("verdicts", "export", "--run", run_id, "--to", str(tmp_path / "out"), "--store", place)
    assert len(list((tmp_path / "out").glob("*.csv"))) == 3
