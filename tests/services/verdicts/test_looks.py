"""Where a judge's labels are shown, that is noted, and labels given afterwards say so; elsewhere nothing is."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.running_server import RunningServer, running_server
from core.errors import Refused
from core.people import Role, Viewer
from core.verdicts.labels import LEGAL, PRESENCE
from core.verdicts.review import fields_of
from protocols.recite.judge.samples import ANSWER_VARIANTS
from services.files import TableForm
from services.runs import failures, results
from services.runs.exports.files import export_run
from services.runs.items import graph_items
from services.runs.public_tables.exporting import export_public
from services.runs.public_tables.reading import PublicKind, preview_public
from services.study import Study
from services.verdicts import acts, audit, behind, claims, exporting, files, judges, reading, tables
from store.runs import reviewed_verdicts as stored
from store.tables import PersonLabelRow
from tests.services.run_parts import act
from tests.services.verdicts.handmade import MILL, bring_case, judged_file
from tests.services.verdicts.reviewing import JUDGES, drawn, judged_run, take

Place = SimpleNamespace
"""run: of judges; judged: the number of the run that it judges; item: the judge's item of the open sheet, and its
section; answer: the item that it is about."""
SHOWN: dict[str, Callable[[Viewer, Place], Any]] = {
    "an item of Failures": lambda v, p: failures.item(v, p.item),
    "the run's export": lambda v, p: export_run(v, p.run, io.BytesIO()),
    "the public tables": lambda v, p: export_public(v, [p.judged]),
    "the exported review": lambda v, p: exporting.export(v, p.run),
    "the items behind a count of labels": lambda v, p: [
        behind.judge_and_judge(
            v, p.run, ANSWER_VARIANTS["generate/names"], JUDGES, (p.section, p.section.blocks[0], PRESENCE), said
        )
        for said in product(LEGAL[p.section, p.section.blocks[0]][PRESENCE], repeat=2)
    ],
    "the desk, opened from elsewhere": lambda v, p: reading.sheet(v, claims.choose(v, p.item, **act()).subject_id),
}
NOT_SHOWN: dict[str, Callable[[Viewer, Place], Any]] = {
    "the list of Failures": lambda v, p: failures.failures(v),
    "lines of a cell": lambda v, p: failures.lines(v, [p.item]),
    "Results": lambda v, p: results.results(v, [p.run], "verdicts", with_interval=False),
    "tables of the run": lambda v, p: tables.judge_run(v, p.run),
    "tables of the run as a file": lambda v, p: files.export(v, p.run, TableForm.CSV),
    "answers of the judged run": lambda v, p: tables.judged_run(v, p.judged),
    "the answer itself, and in the graph lab": lambda v, p: (
        failures.item(v, p.answer),
        graph_items.in_lab(v, p.answer),
    ),
    "judges against each other": lambda v, p: judges.judges_of(v, p.run),
    "the audit": lambda v, p: audit.audit_run(v, p.run),
    "own lists": lambda v, p: (reading.my_sheets(v), reading.waiting(v)),
}


AGGREGATED = ("judges against each other", "the audit")
"""They name fields."""


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


def test_a_look_is_noted_wherever_a_judges_labels_are_shown_and_nowhere_else(
    study: Study, people: SimpleNamespace, server: RunningServer, newcomer: Callable[..., Viewer]
) -> None:
    run_id = judged_run(study, people, server, 1)
    drawn(people.researcher, run_id, 500)
    blind = SheetOf(study, run_id, people.reviewer)
    for name, look in NOT_SHOWN.items():
        said = repr(look(people.reviewer, blind.place))
        assert "presence_label'" not in said or name in AGGREGATED
        assert not blind.saw_then(), name
    for number, (name, look) in enumerate(SHOWN.items()):
        who = SheetOf(study, run_id, newcomer(f"Reviewer {number}", Role.REVIEWER))
        assert not who.saw_then()
        look(who.viewer, who.place)
        assert who.saw_then(), name
    assert not blind.saw_then(), "a look of others is no look of one's own"


def test_whoever_brings_a_file_of_verdicts_has_seen_them_and_others_have_not(
    study: Study, people: SimpleNamespace
) -> None:
    run_id = bring_case(people.researcher, MILL)
    drawn(people.owner, run_id, 500)
    with pytest.raises(Refused, match="No verdict is free for you"):
        take(people.researcher)
    assert not SheetOf(study, run_id, people.reviewer).saw_then()
    # Who brings the same file again has it too.
    other = SheetOf(study, run_id, people.owner)
    assert not other.saw_then()
    assert preview_public(people.owner, "again.parquet", judged_file(MILL), PublicKind.EVALUATIONS).known
    assert other.saw_then()


class SheetOf:
    """A person on a sheet of theirs."""

    def __init__(self, study: Study, run_id: str, viewer: Viewer) -> None:
        self.study, self.viewer = study, viewer
        self.view = take(viewer)
        with study.store.reading() as session:
            sheet = stored.sheet(session, self.view.sheet_id)
            assert sheet is not None
            item = stored.judge_item(session, sheet.item_id)
            assert item is not None
        judged = str(item.facts["run"])
        self.place = Place(
            run=run_id, judged=judged, item=item.item_id, answer=item.facts["item"], section=self.view.section
        )

    def saw_then(self) -> bool:
        """Label a field of the first item; what is noted of it."""
        number, (block, field) = self.view.items[0].number, fields_of(self.view.section)[0]
        said = LEGAL[self.view.section, block][field][0]
        seen = reading.sheet(self.viewer, self.view.assignment_id).version
        acts.label(self.viewer, self.view.assignment_id, number, block.value, field, said, seen=seen, **act())
        with self.study.store.reading() as session:
            key = (self.view.assignment_id, number, block.value, field)
            row = session.get(PersonLabelRow, key)
            assert row is not None
            return row.saw_verdict
