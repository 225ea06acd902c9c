"""The late voice: heard after submitting only, answered in one pass, with what was submitted kept as it was."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import partial
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import pytest

from core.agreement.edges import View
from core.agreement.study_tables import AgreementTable
from core.errors import InvalidGraph, Missing, Refused
from core.people import Receipt, Viewer
from core.transcription.proposals import FigureProposals
from core.transcription.reading_differences import LateAnswer
from exchange.graphs import GraphForm
from services.adjudication import lists as adjudication_lists
from services.adjudication import rounds
from services.agreement import annotators, files
from services.agreement.annotators import Reference
from services.files import TableForm
from services.graphs import exporting, lab
from services.study import Study
from services.transcription import lists, proposal_report, queue, reading, transcribing
from services.transcription.post_submission import reader
from services.transcription.post_submission import settings as late_settings
from services.transcription.post_submission.reader import LateRow, PostSubmissionReader
from store import history
from store.graphs import graphs, submitted_copies
from store.graphs.marks import read_marks, rebuild_marks
from store.sqlite.soundness import graph_faults
from store.tables import AssignmentRow, new_id
from tests.conftest import advance
from tests.services.transcription.test_proposals import arrow, label, lay_down
from tests.shared_fixture import laid_once

TAKEN, KEPT = LateAnswer.TAKEN, LateAnswer.KEPT

READ = FigureProposals(
    names=(
        label("Price", 80, 80),
        label("Demand", 300, 80),
        label("Supply", 80, 200),
        label("Weather", 300, 200),
    ),
    edges=(
        arrow(0, 1, "-"),
        arrow(1, 2, "+"),
        replace(arrow(2, 0, "-"), delay=True),
        arrow(3, 2, "+"),
        arrow(3, 1, "+"),
        arrow(0, 3, ""),
    ),
    origin="vector",
)
RIGHT = (
    "Price ->- Demand\nDemand ->+ Supply\nSupply ->- Price\nWeather ->+ Supply\nWeather ->+ Demand\nPrice -> Weather"
)
SEEDED = "Demand ->- Price\nDemand ->- Supply\nSupply ->- Price\nWaether ->+ Demand"
"""Against the reading: two edges left out, one reversed, one wrong sign, no delay, one name misspelt."""
ASKED = [
    ("name", "Waether", "Weather"),
    ("direction", "Price", "Demand"),
    ("sign", "Demand", "Supply"),
    ("delay", "Supply", "Price"),
    ("not drawn", "Waether", "Supply"),
    ("not drawn", "Price", "Waether"),
]


def drawn(viewer: Viewer, figure_id: str, lines: str, *, submits: bool = True) -> str:
    work = transcribing.take(viewer, figure_id, act_id=new_id()).subject_id
    outcome = transcribing.add_lines(viewer, work, lines, pasted=True, seen=1, act_id=new_id())
    assert outcome.receipt is not None
    if submits:
        transcribing.submit(viewer, work, seen=outcome.receipt.version, act_id=new_id())
    return work


@pytest.fixture
def figure(open_one: Study, a_figure: SimpleNamespace) -> SimpleNamespace:
    lay_down(open_one, a_figure, READ)
    return a_figure


@pytest.fixture
def work(open_one: Study, people: SimpleNamespace, figure: SimpleNamespace, request: pytest.FixtureRequest) -> str:
    """The colleague's transcription, drawn second and so without proposals, submitted with six errors."""

    def make() -> str:
        drawn(people.annotator, figure.id, RIGHT)
        advance(open_one, minutes=1)
        return drawn(people.colleague, figure.id, SEEDED)

    return laid_once(request, open_one, make, people, figure)


def voice(viewer: Viewer, work: str) -> PostSubmissionReader:
    return reader.post_submission_reading(viewer, work)


def opened(viewer: Viewer, work: str) -> PostSubmissionReader:
    reader.open_window(viewer, work, seen=voice(viewer, work).version, act_id=new_id())
    return voice(viewer, work)


def say(viewer: Viewer, work: str, said: LateAnswer, row: LateRow | None = None) -> Receipt:
    now = voice(viewer, work)
    key = (row or now.waiting[0]).read.key
    return reader.answer(viewer, work, key, said, seen=now.version, act_id=new_id())


def take_all(viewer: Viewer, work: str) -> None:
    while (now := voice(viewer, work)).waiting:
        say(viewer, work, TAKEN, now.waiting[0])


def told(rows: tuple[LateRow, ...]) -> list[tuple[str, str, str]]:
    return [(row.read.kind.value, row.read.source, row.read.sink) for row in rows]


def edges(viewer: Viewer, work: str) -> set[str]:
    graph = reading.transcription(viewer, work).record.graph()
    return {f"{e.source} ->{e.sign or ''} {e.sink}{' delay' if e.delay else ''}" for e in graph.edges}


def exported(viewer: Viewer, work: str) -> list[bytes]:
    """A transcription by itself and the whole study, in two forms each."""
    forms = (GraphForm.CSV, GraphForm.JSON)
    return [
        *(exporting.export_transcription(viewer, work, form).content for form in forms),
        *(exporting.export_study(viewer, form).content for form in forms),
    ]


def agreement_tables(viewer: Viewer) -> list[bytes]:
    """Tables 20 and 21 as files."""
    return [
        files.export_table(viewer, part, view, Reference.FIRST, TableForm.CSV).content
        for part in (AgreementTable.TABLE_20, AgreementTable.TABLE_21)
        for view in View
    ]


# --- what is asked, and what is taken ------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_six_seeded_errors_are_asked_about_and_mended_and_what_was_submitted_stays_byte_for_byte(
    study: Study, people: SimpleNamespace, work: str
) -> None:
    before = exported(people.owner, work)
    agreed = annotators.study_agreement(people.reviewer)
    tables = agreement_tables(people.reviewer)
    report = proposal_report.report(people.reviewer)
    assert voice(people.colleague, work).state == "due"
    now = opened(people.colleague, work)
    assert (now.state, told(now.rows)) == ("open", ASKED)
    assert now.until == study.clock() + timedelta(minutes=30)

    take_all(people.colleague, work)
    now = voice(people.colleague, work)
    assert (now.state, now.taken, now.waiting) == ("closed", 6, ())  # one pass
    assert edges(people.colleague, work) == {
        "Price ->- Demand",
        "Demand ->+ Supply",
        "Supply ->- Price delay",
        "Weather ->+ Supply",
        "Weather ->+ Demand",
        "Price -> Weather",
    }
    assert exported(people.owner, work) == before
    assert annotators.study_agreement(people.reviewer).rows(View.ALIGNED) == agreed.rows(View.ALIGNED)
    assert annotators.study_agreement(people.reviewer).rows(View.PRINTED) == agreed.rows(View.PRINTED)
    assert agreement_tables(people.reviewer) == tables
    assert proposal_report.report(people.reviewer) == report
    with study.store.reading() as session:
        row = session.get(AssignmentRow, work)
        assert row is not None
        first = submitted_copies.firsts_of(session, [row.graph_id or ""])[row.graph_id or ""]
        for graph_id in (first, row.graph_id or ""):  # both follow from their histories alone
            assert history.rebuild(session, graph_id) == graphs.read_graph(session, graph_id)
            assert rebuild_marks(session, graph_id) == read_marks(session, graph_id)


def test_what_is_kept_stays_as_it_was_drawn_and_is_not_asked_again(people: SimpleNamespace, work: str) -> None:
    before = edges(people.colleague, work)
    now = opened(people.colleague, work)
    for row in now.rows:
        say(people.colleague, work, KEPT, row)
    now = voice(people.colleague, work)
    assert (now.state, now.taken, [row.answer for row in now.rows]) == ("closed", 0, [KEPT] * 6)
    assert edges(people.colleague, work) == before


def test_an_answer_is_taken_back_but_nothing_that_was_submitted(people: SimpleNamespace, work: str) -> None:
    before = edges(people.colleague, work)
    now = opened(people.colleague, work)
    assert not now.can_undo
    with pytest.raises(Refused, match="nothing to undo"):
        reader.undo(people.colleague, work, seen=now.version, act_id=new_id())
    say(people.colleague, work, TAKEN, now.rows[1])
    assert edges(people.colleague, work) != before
    now = voice(people.colleague, work)
    assert now.can_undo and len(now.waiting) == 5
    reader.undo(people.colleague, work, seen=now.version, act_id=new_id())
    now = voice(people.colleague, work)
    assert (edges(people.colleague, work), told(now.waiting), now.can_undo) == (before, ASKED, False)


def test_an_answer_is_one_act_however_often_it_is_sent(people: SimpleNamespace, work: str) -> None:
    now = opened(people.colleague, work)
    act = new_id()
    receipt = reader.answer(people.colleague, work, now.rows[0].read.key, TAKEN, seen=now.version, act_id=act)
    again = reader.answer(people.colleague, work, now.rows[0].read.key, TAKEN, seen=now.version, act_id=act)
    assert (again.is_repeat, again.version) == (True, receipt.version)
    with pytest.raises(Refused, match="Another act"):
        reader.answer(people.colleague, work, now.rows[0].read.key, KEPT, seen=now.version, act_id=act)
    with pytest.raises(Missing, match="answered already"):
        reader.answer(people.colleague, work, now.rows[0].read.key, KEPT, seen=receipt.version, act_id=new_id())


# --- when it may be heard ------------------------------------------------------------------------------------------


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as found:
        act()
    return str(found.value)


def test_nothing_is_told_before_submitting_and_nothing_to_others(
    people: SimpleNamespace, figure: SimpleNamespace
) -> None:
    drawn(people.annotator, figure.id, RIGHT)
    work = drawn(people.colleague, figure.id, SEEDED, submits=False)
    assert voice(people.colleague, work) == PostSubmissionReader(state="none")
    beginning: dict[str, Any] = {"seen": 2, "act_id": new_id()}
    assert refused(lambda: reader.open_window(people.colleague, work, **beginning)) == reader.NOT_NOW
    for other in (people.annotator, people.researcher):
        assert refused(partial(voice, other, work)) == reader.NOT_OWN_TRANSCRIPTION
        assert refused(partial(reader.open_window, other, work, **beginning)) == reader.NOT_OWN_TRANSCRIPTION


def test_whoever_drew_with_proposals_hears_nothing_nor_does_a_study_of_before(
    people: SimpleNamespace, figure: SimpleNamespace, work: str
) -> None:
    shown = queue_work(people.annotator)
    assert voice(people.annotator, shown).state == "none"
    assert late_settings.settings(people.owner).on  # of a new study
    late_settings.save_settings(people.owner, late_settings.LateSettings(on=False), seen=0, act_id=new_id())
    assert voice(people.colleague, work).state == "none"


def queue_work(viewer: Viewer) -> str:
    (mine,) = lists.own_lists(viewer).mine
    return mine.assignment_id or ""


def test_the_review_is_on_in_a_study_that_never_changed_it(study: Study) -> None:
    with study.store.reading() as session:
        assert late_settings.settings_in(session) == late_settings.LateSettings(on=True, version=0)


def test_the_look_ends_after_half_an_hour_or_with_finish_and_then_all_is_final(
    study: Study, people: SimpleNamespace, work: str
) -> None:
    now = opened(people.colleague, work)
    say(people.colleague, work, TAKEN)
    advance(study, minutes=30)
    now = voice(people.colleague, work)
    assert (now.state, now.can_undo, [row.answer for row in now.rows]) == ("closed", False, [TAKEN])
    key = "direction:x"
    acts: list[Callable[[], object]] = [
        lambda: reader.answer(people.colleague, work, key, TAKEN, seen=now.version, act_id=new_id()),
        lambda: reader.undo(people.colleague, work, seen=now.version, act_id=new_id()),
        lambda: reader.finish(people.colleague, work, act_id=new_id()),
    ]
    assert [refused(act) for act in acts] == [reader.IS_OVER] * 3
    assert (
        refused(lambda: reader.open_window(people.colleague, work, seen=now.version, act_id=new_id())) == reader.NOT_NOW
    )


def test_finish_ends_it_at_once(people: SimpleNamespace, work: str) -> None:
    opened(people.colleague, work)
    reader.finish(people.colleague, work, act_id=new_id())
    assert voice(people.colleague, work).state == "closed"
    assert rounds.begin(people.reviewer, figure_of(people), act_id=new_id()).subject_id


def figure_of(people: SimpleNamespace) -> str:
    (case,) = adjudication_lists.waiting(people.reviewer)
    return case.figure_id


def test_while_it_is_open_nobody_rules_or_reviews_and_the_figure_keeps_its_place(
    study: Study, people: SimpleNamespace, figure: SimpleNamespace, work: str
) -> None:
    with study.store.reading() as session:
        due = session.get(AssignmentRow, work)
        before = (due.state, due.submitted_at, due.expires_at) if due else None
    places = queue.queue_of_study(people.owner)
    opened(people.colleague, work)
    (case,) = adjudication_lists.waiting(people.reviewer)
    assert (case.state, case.waits_until) == ("ready", study.clock() + timedelta(minutes=30))
    assert adjudication_lists.next_of([case]) is None
    for act in (
        lambda: rounds.begin(people.reviewer, figure.id, act_id=new_id()),
        lambda: transcribing.accept(people.reviewer, work, act_id=new_id()),
        lambda: transcribing.return_to_annotator(people.reviewer, work, "again", act_id=new_id()),
    ):
        assert "comparing this transcription" in refused(act)
    assert queue.queue_of_study(people.owner) == places
    with study.store.reading() as session:
        due = session.get(AssignmentRow, work)
        assert due is not None and (due.state, due.submitted_at, due.expires_at) == before
    advance(study, minutes=30)
    (case,) = adjudication_lists.waiting(people.reviewer)
    assert adjudication_lists.next_of([case]) is case
    assert rounds.begin(people.reviewer, figure.id, act_id=new_id()).subject_id


def test_once_it_is_ruled_on_it_is_too_late(people: SimpleNamespace, figure: SimpleNamespace, work: str) -> None:
    rounds.begin(people.reviewer, figure.id, act_id=new_id())
    assert voice(people.colleague, work).state == "none"


def test_the_other_annotators_state_does_not_matter(people: SimpleNamespace, figure: SimpleNamespace) -> None:
    drawn(people.annotator, figure.id, RIGHT, submits=False)
    work = drawn(people.colleague, figure.id, SEEDED)
    assert told(opened(people.colleague, work).rows) == ASKED


def test_a_transcription_as_it_was_read_is_final_at_once(people: SimpleNamespace, figure: SimpleNamespace) -> None:
    drawn(people.annotator, figure.id, SEEDED)
    work = drawn(people.colleague, figure.id, RIGHT)
    now = voice(people.colleague, work)
    assert now.state == "due"  # the delay
    reader.open_window(people.colleague, work, seen=now.version, act_id=new_id())
    say(people.colleague, work, TAKEN)
    assert voice(people.colleague, work).state == "closed"


def test_the_first_state_never_changes_and_only_reviewers_and_its_annotator_see_it(
    study: Study, people: SimpleNamespace, work: str
) -> None:
    opened(people.colleague, work)
    with study.store.writing() as session:
        row = session.get(AssignmentRow, work)
        assert row is not None
        (first_id,) = submitted_copies.firsts_of(session, [row.graph_id or ""]).values()
        first = graphs.graph_row(session, first_id)
        assert (first.kind, first.based_on, first.is_first) == ("transcription", row.graph_id, True)
        with pytest.raises(InvalidGraph, match="never changes"):
            graphs.apply_changes(session, first, graphs.read_graph(session, first_id), (), 1)
    heads = {line.id: line for line in lab.list_graphs(people.reviewer).lines}
    assert heads[first_id].title.endswith("as submitted")
    assert first_id in {line.id for line in lab.list_graphs(people.colleague).lines}
    assert first_id not in {line.id for line in lab.list_graphs(people.annotator).lines}
    with study.store.reading() as session:
        assert graph_faults(session) == []


@pytest.mark.both
def test_two_tabs_that_open_it_at_once_open_one_look(study: Study, people: SimpleNamespace, work: str) -> None:
    seen, together = voice(people.colleague, work).version, Barrier(2)

    def begin(_tab: int) -> str:
        together.wait()
        try:
            return reader.open_window(people.colleague, work, seen=seen, act_id=new_id()).subject_id
        except Refused as error:
            return str(error)

    with ThreadPoolExecutor(2) as tabs:
        assert sorted(tabs.map(begin, range(2))) == sorted((work, reader.NOT_NOW))
    with study.store.reading() as session:
        row = session.get(AssignmentRow, work)
        assert row is not None
        assert len(submitted_copies.firsts_of(session, [row.graph_id or ""])) == 1
