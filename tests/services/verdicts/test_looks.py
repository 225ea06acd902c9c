"""What judges say is hidden from whoever labels it blind; all others who see it are noted, and not given its sheets."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from sqlmodel import select

from benchmarks.running_server import RunningServer, running_server
from core.errors import Refused
from core.people import Role, Viewer
from core.runs.filters import FailureFilters, ItemOrder, Side
from core.verdicts.labels import LEGAL, PRESENCE
from core.verdicts.review import fields_of
from core.verdicts.settings import VerdictSettings
from exchange.recite_responses import PublicKind
from protocols.recite.judge.samples import ANSWER_VARIANTS
from services.acting import ReadContext
from services.failures import failures
from services.files import TableForm
from services.protocols.recite.public_tables.exporting import export_public
from services.protocols.recite.public_tables.reading import preview_public
from services.queue.work import open_subjects, resume, skip, waiting
from services.results import files as result_files
from services.results import results
from services.runs.exports.files import export_run
from services.runs.items import graph_items
from services.study import Study
from services.verdicts import acts, audit, behind, claims, exporting, judges, reading, run_verdicts, settings
from services.verdicts.judge_items import seen_in
from services.verdicts.work_kind import SHEETS
from store.graphs import exposures
from store.runs import reviewed_verdicts as stored
from store.tables import PersonLabelRow, VerdictOverrideRow
from store.tables.runs import RunItemRow
from tests.everything import usual
from tests.services.run_parts import act, finished, set_up, start
from tests.services.runs.narratives import bring, narratives, wanted
from tests.services.verdicts.handmade import MILL, bring_case, judged_file
from tests.services.verdicts.judging_parts import to_judge
from tests.services.verdicts.reviewing import JUDGES, compare, drawn, judged_run, label, rule, take
from tests.shared_fixture import laid_once

Place = SimpleNamespace
"""run: of judges; judged: the run that it judges; item: the judge's item of the sheet, and its section; answer: the
item of the answer, and `of` its key; title, model: its text and who answered."""
Route = Callable[[Viewer, Place], Any]
Judged = Callable[..., str]
WITHHELD: dict[str, Route] = {
    "the list of Failures": lambda v, p: failures.failures(v),
    "the list of the run, lowest score first": lambda v, p: failures.failures(
        v, FailureFilters(runs=(p.run,), order=ItemOrder.LOWEST)
    ),
    "a search for the sample": lambda v, p: failures.failures(v, FailureFilters(search=p.title)),
    "a search for the judged model": lambda v, p: failures.failures(
        v, FailureFilters(labels=(("judged", (p.model,)),))
    ),
    "the answers behind a cell": lambda v, p: failures.lines(v, [p.item]),
    "two judges side by side": lambda v, p: failures.compare(v, Side(p.run, JUDGES[0]), Side(p.run, JUDGES[1])),
    "an item of Failures": lambda v, p: failures.item(v, p.item),
    "the run's export": lambda v, p: export_run(v, p.run, io.BytesIO()),
    "the public tables": lambda v, p: export_public(v, [p.judged]),
    "the exported review": lambda v, p: exporting.export(v, p.run),
    "the items behind a count of labels": lambda v, p: [
        behind.judge_and_judge(
            v, p.run, ANSWER_VARIANTS["generate/names"], JUDGES, (p.section, p.section.blocks[0], PRESENCE), (one, two)
        )
        for one, two in product(LEGAL[p.section, p.section.blocks[0]][PRESENCE], repeat=2)
    ],
    "the desk, opened from elsewhere": lambda v, p: reading.sheet(v, claims.choose(v, p.item, **act()).subject_id),
    "cells of Results": lambda v, p: results.results(v, [p.run], "verdicts", with_interval=False),
    "a file of Results": lambda v, p: result_files.export(v, [p.run], "verdicts", TableForm.CSV),
    "answers of the judged run": lambda v, p: run_verdicts.judged_run(v, p.judged),
}
"""Where something is shown of what a judge said of single answers."""
NAMES_ONLY: dict[str, Route] = {
    "the answer": lambda v, p: failures.item(v, p.answer),
    "the answer's graph": lambda v, p: graph_items.graph_item(v, p.answer),
    "the answer in the graph lab": lambda v, p: graph_items.in_lab(v, p.answer),
    "the answer's run": lambda v, p: export_run(v, p.judged, io.BytesIO()),
}
"""Where the judged model stands beside its graph."""
OPEN: dict[str, Route] = {
    "judges against each other": lambda v, p: judges.judges_of(v, p.run),
    "the audit": lambda v, p: audit.audit_run(v, p.run),
    "the judges' controls": lambda v, p: run_verdicts.judge_run(v, p.run),
    "own lists": lambda v, p: (reading.my_sheets(v), waiting(v, SHEETS)),
}


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server() as running:
        yield running


@pytest.fixture
def judged(study: Study, people: SimpleNamespace, server: RunningServer, request: pytest.FixtureRequest) -> Judged:
    """`judged(most, judges)` is the id of a finished run of judges, one of each kind for all tests of this file."""

    def of_kind(*kind: Any) -> str:
        return laid_once(request, study, lambda: judged_run(study, people, server, *kind), people, kind=kind)

    return of_kind


def test_whoever_has_an_open_sheet_is_shown_nothing_of_its_section_until_all_of_it_is_compared(
    study: Study, people: SimpleNamespace, judged: Judged
) -> None:
    run_id = judged(1)
    drawn(people.researcher, run_id, 500)
    mine = SheetOf(study, run_id, people.reviewer)
    for name, route in (WITHHELD | NAMES_ONLY).items():
        shown = mine.shown(route)
        assert not any(each in shown for each in (mine.place.item, mine.place.answer)), name
    for route in OPEN.values():
        mine.shown(route)
    assert mine.seen() == frozenset() and not mine.saw_then()
    # Of one text every score is of fewer than ten samples: none has a value, and none opens its answers.
    for preset in ("verdicts", "forms", "labels", "topology-f1", "density"):
        for table in results.results(people.reviewer, [run_id], preset, with_interval=False):
            told = {(cell.estimate.value, cell.item_ids) for cell in table.cells.values() if cell.n_scored}
            assert told == {(None, ())} and table.chart is None
    # As soon as nothing is left to be labelled, all of it opens.
    for each in mine.view.items:
        label(people.reviewer, mine.view, each.number)
        compare(people.reviewer, mine.view, each.number)
    for name, route in (WITHHELD | NAMES_ONLY).items():
        assert mine.shown(route) != REFUSED, name
    assert mine.place.item in mine.shown(WITHHELD["the list of Failures"])


def test_a_line_that_is_missing_does_not_tell_whose_answer_is_labelled(
    study: Study, people: SimpleNamespace, judged: Judged
) -> None:
    """Two models answered each of two texts: of one text no answer is listed with this section, of the other both."""
    run_id = judged(2, ("judge:honest",))
    drawn(people.researcher, run_id, 500)
    mine = SheetOf(study, run_id, people.reviewer)
    listed = failures.failures(people.reviewer, FailureFilters(runs=(run_id,)), limit=500).lines
    words = mine.place.section.value.replace("_", " ")
    texts = Counter(line.summary.title for line in listed if words in line.summary.labels["section"])
    assert set(texts.values()) == {2} and mine.place.title not in texts


@pytest.mark.parametrize("together", usual([True, False], True))
def test_an_equal_answer_of_a_repeated_run_is_withheld_too_and_a_look_at_it_counts_for_both(
    together: bool,
    study: Study,
    people: SimpleNamespace,
    server: RunningServer,
    newcomer: Callable[..., Viewer],
) -> None:
    """The repeated run is judged with the first, or by a run of its own."""
    key = bring(people.researcher, narratives()[:1])
    asked = wanted(key, variants=("names",), baselines=("co-mention",))
    numbers = [str(finished(study, people.researcher, start(people.researcher, asked)).number) for _ in range(2)]
    server.play({})
    set_up(people.owner, server, JUDGES)
    judged = []
    for of in [",".join(numbers)] if together else numbers:
        judged.append(start(people.researcher, replace(to_judge(1, JUDGES), options={"of": of})))
        finished(study, people.researcher, judged[-1])
    for each in judged:
        drawn(people.researcher, each, 500)
    mine = SheetOf(study, judged[0], people.reviewer)
    own, other = mine.place, newcomer("Nobody told them", Role.REVIEWER)
    mine.place = twin = twin_of(study, own)
    for name, route in (WITHHELD | NAMES_ONLY).items():
        shown = mine.shown(route)
        assert not any(each in shown for each in (twin.item, twin.answer)), name
    assert not mine.saw_then()
    seen = reading.sheet(people.reviewer, mine.view.assignment_id).version
    skip(people.reviewer, SHEETS, mine.view.assignment_id, "not mine", seen=seen, **act())
    assert own.sheet in free_sheets(study, other)
    failures.item(other, twin.item)
    assert own.sheet not in free_sheets(study, other)


def test_a_verdict_on_another_graph_of_the_text_closes_no_sheet(
    study: Study, people: SimpleNamespace, judged: Judged, newcomer: Callable[..., Viewer]
) -> None:
    run_id = judged(1, JUDGES[:1])
    drawn(people.researcher, run_id, 500)
    who = newcomer("Nobody told them", Role.REVIEWER)
    with study.store.reading() as session:
        found = [(each, stored.judge_item(session, each.item_id)) for each in stored.sheets(session)]
    sheet, item = next((sheet, item) for sheet, item in found if item is not None and item.truth["answer"]["edges"])
    failures.item(who, item.item_id)
    others = {
        each.id
        for each, about in found
        if each.section == sheet.section and about is not None and about.truth != item.truth
    }
    assert others and others <= set(free_sheets(study, who))
    assert sheet.id not in free_sheets(study, who)


@pytest.mark.parametrize("setting", [{"label_first": False}, {"hides_models": False}])
def test_a_study_that_hides_less_withholds_less(
    setting: dict[str, bool], study: Study, people: SimpleNamespace, judged: Judged
) -> None:
    run_id = judged(1, ("judge:honest",))
    drawn(people.researcher, run_id, 500)
    settings.save_settings(people.owner, VerdictSettings(**setting), seen=0, **act())
    mine = SheetOf(study, run_id, people.reviewer)
    hidden = {name for name, route in (WITHHELD | NAMES_ONLY).items() if mine.shown(route) == REFUSED}
    assert not hidden & NAMES_ONLY.keys()
    assert bool(hidden) is ("label_first" not in setting)


def test_whoever_sees_what_a_judge_said_is_not_given_its_section_afterwards(
    study: Study, people: SimpleNamespace, judged: Judged, newcomer: Callable[..., Viewer]
) -> None:
    run_id = judged(1)
    drawn(people.researcher, run_id, 500)
    other = SheetOf(study, run_id, people.researcher)
    skip(people.researcher, SHEETS, other.view.assignment_id, "not mine", seen=other.view.version, **act())
    place = other.place
    for number, (name, route) in enumerate(WITHHELD.items()):
        who = newcomer(f"Reviewer {number}", Role.REVIEWER)
        before = set(free_sheets(study, who))
        route(who, place)
        closed = before - set(free_sheets(study, who))
        assert place.sheet in closed, name
    blind = newcomer("Nobody told them", Role.REVIEWER)
    before = set(free_sheets(study, blind))
    for route in (OPEN | NAMES_ONLY).values():
        route(blind, place)
    assert set(free_sheets(study, blind)) == before


def test_a_sheet_that_was_put_aside_is_not_resumed_after_a_look(
    study: Study, people: SimpleNamespace, judged: Judged
) -> None:
    run_id = judged(1, ("judge:honest",))
    drawn(people.researcher, run_id, 500)
    mine = SheetOf(study, run_id, people.reviewer)
    work = mine.view.assignment_id
    skip(people.reviewer, SHEETS, work, "later", seen=mine.view.version, **act())
    assert resume(people.reviewer, SHEETS, work, **act())
    skip(people.reviewer, SHEETS, work, "later", seen=reading.sheet(people.reviewer, work).version, **act())
    failures.failures(people.reviewer, FailureFilters(runs=(run_id,)), limit=500)
    with pytest.raises(Refused, match="You have seen what a judge said of this sheet"):
        resume(people.reviewer, SHEETS, work, **act())


def test_a_sheet_that_is_all_compared_can_still_be_resumed_and_submitted(
    study: Study, people: SimpleNamespace, judged: Judged
) -> None:
    run_id = judged(1, ("judge:honest",))
    drawn(people.researcher, run_id, 500)
    view = SheetOf(study, run_id, people.reviewer).view
    for each in view.items:
        label(people.reviewer, view, each.number)
        view = compare(people.reviewer, view, each.number)
    skip(people.reviewer, SHEETS, view.assignment_id, "later", seen=view.version, **act())
    again = resume(people.reviewer, SHEETS, view.assignment_id, **act())
    acts.submit(people.reviewer, view.assignment_id, seen=again.version, **act())


@pytest.mark.parametrize("ruling", ["concede", "both_defensible", "keep_mine"])
def test_nothing_is_ruled_about_an_item_before_it_is_compared(
    ruling: str, study: Study, people: SimpleNamespace, judged: Judged
) -> None:
    run_id = judged(1, ("judge:honest",))
    drawn(people.researcher, run_id, 500)
    view = SheetOf(study, run_id, people.reviewer).view
    number = view.items[0].number
    view = label(people.reviewer, view, number)
    said = ("too lenient",) if ruling == "keep_mine" else ()
    with pytest.raises(Refused, match=f"Compare item {number} with the judge's labels first"):
        rule(people.reviewer, view, getattr(acts, ruling), number, *said)
    (now,) = (each for each in reading.sheet(people.reviewer, view.assignment_id).items if each.number == number)
    assert not now.rulings and not now.judges
    with study.store.reading() as session:
        assert not session.exec(select(VerdictOverrideRow)).all()
    compare(people.reviewer, view, number)


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


REFUSED = "refused"


def twin_of(study: Study, place: Place) -> Place:
    """The place of the same verdict on the same graph, which another run answered."""
    with study.store.reading() as session:
        own = stored.judge_item(session, place.item)
        assert own is not None
        rows = session.exec(select(RunItemRow.id).where(RunItemRow.model == own.model, RunItemRow.id != place.item))
        items = [item for item in (stored.judge_item(session, each) for each in rows) if item is not None]
    (item,) = (each for each in items if (each.facts["section"], each.truth) == (place.section.value, own.truth))
    assert item.facts["run"] != own.facts["run"]
    found = {"run": item.run_id, "item": item.item_id, "answer": item.facts["item"], "of": item.facts["answer"]}
    return Place(**{**vars(place), **found, "judged": str(item.facts["run"])})


def free_sheets(study: Study, viewer: Viewer) -> list[str]:
    with study.store.reading() as session:
        return open_subjects(ReadContext(study, session, viewer, study.clock()), SHEETS, viewer.person_id)


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
        self.place = Place(
            sheet=sheet.id,
            run=run_id,
            judged=str(item.facts["run"]),
            item=item.item_id,
            answer=item.facts["item"],
            of=item.facts["answer"],
            section=self.view.section,
            title=self.view.title,
            model=item.facts["judged"],
        )

    def shown(self, route: Route) -> str:
        """What a route shows to its person."""
        try:
            return repr(route(self.viewer, self.place))
        except Refused as error:
            assert str(error).startswith("You are labelling a sheet of verdicts about this.")
            return REFUSED

    def seen(self) -> frozenset[int] | None:
        with self.study.store.reading() as session:
            looked = exposures.looked_at(session, self.viewer.person_id, "verdict")
            return seen_in(session, looked, self.place.of, self.place.section.value)

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
