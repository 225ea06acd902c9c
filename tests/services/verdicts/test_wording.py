"""BROADER in recall once meant that the truth is more general. Such labels are identified by the prompt's hash or by a
column, left out of agreement in that field, counted, and exported in the paper's meaning."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow.parquet
import pytest
from pyarrow import BufferReader
from sqlmodel import select, text

from benchmarks.running_server import RunningServer, running_server
from core.verdicts.agreement import Place
from core.verdicts.labels import ABSTRACTION, PRESENCE, RECALL, WORDING, LabelBlock, Section
from prompts.loader import load
from prompts.placeholders import Placeholders
from protocols.recite.judge.samples import ANSWER_VARIANTS
from protocols.recite.judge.tasks import PLACEHOLDERS, RULES, wording_of
from services.protocols.recite.public_tables.exporting import export_public
from services.queue.work import skip
from services.study import Study
from services.verdicts import audit, behind, exporting, judges
from services.verdicts.work_kind import SHEETS
from store.runs import reviewed_verdicts as stored
from store.tables import PersonLabelRow
from tests.cli.calling import run as call
from tests.services.run_parts import act, finished, place_of, set_up, start
from tests.services.verdicts.handmade import MILL, bring_case
from tests.services.verdicts.judging_parts import answers, to_judge
from tests.services.verdicts.reviewing import again, compare, drawn, label, take

EARLIER = Path(__file__).parents[2] / "protocols" / "recite" / "judge" / "earlier_rules.txt"
JUDGES = ("judge:honest", "judge:random")
NAMES_GIVEN = ANSWER_VARIANTS["generate/names"]
OF_NODES, OF_EDGES = ((section, LabelBlock.ITEM, ABSTRACTION) for section in RECALL)
TURNED = {"ABSTRACTION_BROADER": "ABSTRACTION_NARROWER", "ABSTRACTION_NARROWER": "ABSTRACTION_BROADER"}


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def judged(study: Study, people: SimpleNamespace, number: int, rules: Path | None = None) -> str:
    """A finished run of two judges on the answers of run `number`, asked with these rules; its id."""
    config = to_judge(number, JUDGES)
    if rules is not None:
        folder = study.cache.parent / "prompts" / "before"
        folder.mkdir(parents=True)
        (folder / "judge.txt").write_bytes(rules.read_bytes())
        config = replace(config, prompts_folder="before")
    run_id = start(people.researcher, config)
    finished(study, people.researcher, run_id)
    return run_id


def labels_kept(study: Study, run_id: str, section: Section) -> list[list[str]]:
    """Of each answer and judge the labels of abstraction in recall."""
    with study.store.reading() as session:
        items = stored.judge_items(session, run_id, "judge")
        return [
            [raw[ABSTRACTION] for raw in each.parsed["items"]] for each in items if each.facts["section"] == section
        ]


def test_the_rules_of_today_and_imported_verdicts_have_the_papers_meaning() -> None:
    ours = load(RULES, placeholders=Placeholders(capitals=PLACEHOLDERS))
    assert wording_of({"prompts": [{"name": RULES, "hash": ours.hash}]}) == wording_of({"prompts": []}) == WORDING == 2


def test_labels_of_judges_asked_with_the_earlier_rules_are_left_out_counted_and_turned_in_exports(
    study: Study, people: SimpleNamespace, server: RunningServer
) -> None:
    number = answers(study, people, 2, ("hub",))
    server.play({})
    set_up(people.owner, server, JUDGES)
    before, now = (judged(study, people, number, rules) for rules in (EARLIER, None))
    found = {
        run_id: judges.judges_of(people.reviewer, run_id).compared[NAMES_GIVEN].labels[JUDGES]
        for run_id in (before, now)
    }
    for place in (OF_NODES, OF_EDGES):
        items = found[now][place].n
        assert items > 1 and found[now][place].left_out == 0
        assert (found[before][place].n, found[before][place].left_out) == (0, items)
        said: tuple[str, str] = next((one, other) for one, row in found[now][place].confusion.items() for other in row)
        assert behind.judge_and_judge(people.owner, now, NAMES_GIVEN, JUDGES, place, said)
        assert not behind.judge_and_judge(people.owner, before, NAMES_GIVEN, JUDGES, place, said)
    others = [place for place in found[now] if place not in (OF_NODES, OF_EDGES)]
    assert all(found[before][place].n == found[now][place].n > 0 for place in others)
    assert {found[before][place].left_out for place in others} == {0}

    # On the desk the judge's labels say so once they are shown.
    drawn(people.researcher, before, 500)
    while (view := take(people.reviewer)).section not in RECALL:
        skip(people.reviewer, SHEETS, view.assignment_id, "another section", seen=view.version, **act())
    number = view.items[0].number
    label(people.reviewer, view, number)
    assert not any("earlier meaning" in each for each in again(people.reviewer, view).items[0].warnings)
    shown = compare(people.reviewer, view, number)
    assert any("earlier meaning" in each for each in shown.items[0].warnings)

    # Tables in the form of the paper have the labels in its meaning.
    made = export_public(people.researcher, [before, now])
    (content,) = [file.content for file in made.files if file.name == "evaluations.parquet"]
    (changed,) = made.changed
    assert "BROADER and NARROWER change places" in changed
    rows = pyarrow.parquet.read_table(BufferReader(content)).to_pylist()
    assert len(rows) == 2 * 2 * 2
    for section in RECALL:
        written = [[raw[ABSTRACTION] for raw in json.loads(row["evaluation_answer"])[section.key]] for row in rows]
        was, is_now = labels_kept(study, before, section), labels_kept(study, now, section)
        assert was == is_now  # both judges label by what they are asked about, not by the rules
        assert sorted(written) == sorted([[TURNED.get(each, each) for each in row] for row in was] + is_now)
        assert any(each in TURNED for row in was for each in row)
    drawn(people.researcher, now, 1)
    for run_id, wording in ((before, 1), (now, 2)):
        (whole,) = exporting.export(people.owner, run_id, as_json=True)
        assert {each["judge_wording"] for each in json.loads(whole.content)["sheets"]} == {wording}
    words = call("verdicts", "audit", "--run", before, "--store", place_of(study)).stdout.decode()
    nodes, edges = (found[now][place].n for place in (OF_NODES, OF_EDGES))
    assert f"leaves out {nodes} items of Nodes, recall and {edges} items of Edges, recall, labelled when" in words


def test_labels_that_people_gave_under_the_earlier_wording_are_left_out_and_counted(
    study: Study, people: SimpleNamespace
) -> None:
    more: dict[Any, Any] = {(Section.EDGE_RECALL, n): {ABSTRACTION: "ABSTRACTION_BROADER"} for n in (1, 2, 3)}
    case = replace(MILL, matches={**MILL.matches, **{key: [1] for key in more}}, more=more)
    run_id = bring_case(people.owner, case)
    drawn(people.owner, run_id, 500)
    while (view := take(people.reviewer)).section is not Section.EDGE_RECALL:
        skip(people.reviewer, SHEETS, view.assignment_id, "another section", seen=view.version, **act())
    for item in view.items:
        label(people.reviewer, view, item.number, {"item.abstraction_label": "ABSTRACTION_BROADER"})
    # What was labelled before an update is of the wording of then, also where it is compared afterwards.
    set_wording(study, 1)
    label(people.reviewer, view, 1, {"item.abstraction_label": "ABSTRACTION_BROADER"})
    with study.store.reading() as session:
        kept = {row.number: row.wording for row in session.exec(select(PersonLabelRow)) if row.field == ABSTRACTION}
    assert kept == {1: 2, 2: 1, 3: 1}
    for item in view.items:
        compare(people.reviewer, view, item.number)
    said = {"ABSTRACTION_BROADER": {"ABSTRACTION_BROADER": 1}}
    (first,) = audit.audit_run(people.reviewer, run_id).judges.values()
    assert (first.fields[OF_EDGES].n, first.fields[OF_EDGES].left_out) == (1, 2)
    assert first.fields[OF_EDGES].confusion == said
    assert first.fields[Section.EDGE_RECALL, LabelBlock.ITEM, PRESENCE].n == 3
    assert len(items_behind(people, run_id, OF_EDGES)) == 1
    # An imported verdict means what the paper says, as people's labels of today do; scores are the same either way.
    set_wording(study, 2)
    (second,) = audit.audit_run(people.reviewer, run_id).judges.values()
    assert (second.fields[OF_EDGES].n, second.fields[OF_EDGES].left_out) == (3, 0)
    assert second.sections == first.sections
    assert len(items_behind(people, run_id, OF_EDGES)) == 3


def set_wording(study: Study, wording: int) -> None:
    with study.store.writing() as session:
        session.execute(text("UPDATE person_label SET wording = :wording"), {"wording": wording})


def items_behind(people: SimpleNamespace, run_id: str, place: Place) -> tuple[Any, ...]:
    said = ("ABSTRACTION_BROADER",) * 2
    ((key, _found),) = audit.audit_run(people.owner, run_id).judges.items()
    return behind.judge_and_people(people.owner, run_id, key, place, said)
