"""Active time: counted once, on one's own open task, never more than has passed; and what is told of it to whom."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from sqlmodel import col, select

from core.errors import BadInput, Refused
from core.people import Role, Viewer
from services.study import Study
from services.transcription import effort, transcribing
from store.tables import EffortRow, EventRow, new_id
from tests.conftest import advance


def begin(viewer: Viewer, figure_id: str, lines: str, *, submit: bool = False) -> str:
    work = transcribing.take(viewer, figure_id, act_id=new_id()).subject_id
    transcribing.add_lines(viewer, work, lines, pasted=False, seen=1, act_id=new_id())
    if submit:
        transcribing.submit(viewer, work, seen=2, act_id=new_id())
    return work


def be_active(study: Study, viewer: Viewer, work: str, seconds: float) -> float:
    advance(study, seconds=seconds)
    return effort.beat(viewer, work, seconds, beat_id=new_id())


@pytest.fixture
def work(people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    return begin(people.annotator, a_figure.id, "A -> B; C")


# --- reports ----------------------------------------------------------------------------------------------------


@pytest.mark.both
def test_reports_add_up_and_the_same_one_counts_once(study: Study, people: SimpleNamespace, work: str) -> None:
    assert be_active(study, people.annotator, work, 20) == 20
    advance(study, seconds=20)
    again = new_id()
    assert effort.beat(people.annotator, work, 15, beat_id=again) == 35
    advance(study, seconds=20)
    assert effort.beat(people.annotator, work, 15, beat_id=again) == 35


def test_a_report_counts_no_more_than_the_time_since_the_last_one(
    study: Study, people: SimpleNamespace, work: str
) -> None:
    advance(study, seconds=30)
    assert effort.beat(people.annotator, work, 4_000, beat_id=new_id()) == 30  # since the task was taken
    advance(study, seconds=7)
    assert effort.beat(people.annotator, work, 20, beat_id=new_id()) == 37
    assert effort.beat(people.annotator, work, 20, beat_id=new_id()) == 37  # a second tab in the same moment


@pytest.mark.usefixtures("lasting")
def test_a_clock_set_back_over_midnight_costs_one_report_and_no_more(
    study: Study, people: SimpleNamespace, work: str
) -> None:
    advance(study, hours=11, minutes=59)
    assert be_active(study, people.annotator, work, 60) == 60  # noon and twelve hours: the next day has begun
    advance(study, hours=-1)
    assert effort.beat(people.annotator, work, 20, beat_id=new_id()) == 60
    assert be_active(study, people.annotator, work, 20) == 80
    advance(study, hours=1)
    assert be_active(study, people.annotator, work, 20) == 100


@pytest.mark.both
def test_a_repeat_is_known_across_midnight_and_each_day_has_its_row(
    study: Study, newcomer: Callable[..., Viewer], a_figure: SimpleNamespace
) -> None:
    advance(study, hours=11, minutes=59)
    viewer = newcomer("Someone late", Role.ANNOTATOR)
    work, late = begin(viewer, a_figure.id, "A -> B"), new_id()
    advance(study, seconds=30)
    effort.beat(viewer, work, 20, beat_id=late)
    advance(study, seconds=31)
    assert effort.beat(viewer, work, 20, beat_id=late) == 20
    assert effort.beat(viewer, work, 10, beat_id=new_id()) == 30
    with study.store.reading() as session:
        rows = session.exec(select(EffortRow).order_by(col(EffortRow.day))).all()
    assert [(row.day, row.active_s) for row in rows] == [("2026-03-02", 20), ("2026-03-03", 10)]


def test_reports_leave_no_trace_in_the_history(study: Study, people: SimpleNamespace, work: str) -> None:
    with study.store.reading() as session:
        before = len(session.exec(select(EventRow)).all())
    be_active(study, people.annotator, work, 20)
    with study.store.reading() as session:
        assert len(session.exec(select(EventRow)).all()) == before


def test_time_is_counted_on_ones_own_open_task_only(study: Study, people: SimpleNamespace, work: str) -> None:
    for other in (people.colleague, people.owner):
        with pytest.raises(Refused, match="your own open transcriptions"):
            effort.beat(other, work, 5, beat_id=new_id())
    transcribing.submit(people.annotator, work, seen=2, act_id=new_id())
    with pytest.raises(Refused, match="your own open transcriptions"):
        effort.beat(people.annotator, work, 5, beat_id=new_id())
    transcribing.return_to_annotator(people.reviewer, work, "Look again", act_id=new_id())
    assert be_active(study, people.annotator, work, 5) == 5


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf")])
def test_what_is_no_time_is_refused(study: Study, people: SimpleNamespace, work: str, seconds: float) -> None:
    with pytest.raises(BadInput, match="not an active time"):
        effort.beat(people.annotator, work, seconds, beat_id=new_id())
    with pytest.raises(BadInput, match="not a UUID"):
        effort.beat(people.annotator, work, 1, beat_id="forged")


# --- what is told of it -----------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_ones_own_tasks_show_counts_acts_and_pace(study: Study, people: SimpleNamespace, work: str) -> None:
    be_active(study, people.annotator, work, 60)
    (task,) = effort.my_effort(people.annotator)
    assert (task.nodes, task.edges, task.acts, task.active_s, task.size) == (3, 2, 1, 60, "small")
    assert task.edges_per_minute.value == 2
    assert effort.my_effort(people.colleague) == ()


def test_undo_is_an_act_and_looking_at_a_task_is_none(study: Study, people: SimpleNamespace, work: str) -> None:
    transcribing.undo(people.annotator, work, seen=2, act_id=new_id())
    transcribing.redo(people.annotator, work, seen=3, act_id=new_id())
    assert effort.my_effort(people.annotator)[0].acts == 3


def test_a_draft_of_someone_else_shows_its_time_and_nothing_of_what_is_in_it(
    study: Study, people: SimpleNamespace, work: str
) -> None:
    be_active(study, people.annotator, work, 60)
    (task,) = effort.study_effort(people.researcher).tasks
    assert task.active_s == 60
    assert (task.nodes, task.edges, task.acts, task.size) == (None, None, None, None)
    assert "not submitted yet" in task.edges_per_minute.reason
    assert effort.study_effort(people.owner).total.tasks == 0
    transcribing.submit(people.annotator, work, seen=2, act_id=new_id())
    assert effort.study_effort(people.owner).tasks[0].edges == 2


@pytest.mark.both(usually=False)
def test_totals_are_pooled_over_the_tasks_that_were_timed(
    study: Study, people: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    first, second, third = (another_figure(title).id for title in ("One", "Two", "Three"))
    for viewer, figure, seconds, lines in (
        (people.annotator, first, 60, "A -> B"),
        (people.annotator, second, 120, "A -> B; C; D; E; F"),
        (people.colleague, third, 0, "A -> B; C"),
    ):
        work = transcribing.take(viewer, figure, act_id=new_id()).subject_id
        transcribing.add_lines(viewer, work, lines, pasted=False, seen=1, act_id=new_id())
        if seconds:
            be_active(study, viewer, work, seconds)
        transcribing.submit(viewer, work, seen=2, act_id=new_id())
    found = effort.study_effort(people.owner)
    assert [(total.label, total.tasks, total.edges) for total in found.people] == [
        ("The annotator", 2, 6),
        ("The colleague", 1, 2),
    ]
    # 6 edges in 3 minutes; the mean of the two paces (1 and 2.5) would be another number
    assert found.people[0].edges_per_minute.value == 2
    assert found.people[1].edges_per_minute.value is None
    assert (found.total.tasks, found.total.edges, found.total.edges_per_minute.value) == (3, 8, 2)
    assert found.total.edges_per_minute.n == 2
    assert [total.label for total in found.sizes] == ["small, with proposals"]


@pytest.mark.both(usually=False)
def test_the_export_carries_pseudonyms_and_leaves_undefined_numbers_empty(
    study: Study, people: SimpleNamespace, another_figure: Callable[..., SimpleNamespace]
) -> None:
    work = begin(people.annotator, another_figure("=1+1 Grain").id, "A -> B; C")
    be_active(study, people.annotator, work, 60)
    transcribing.submit(people.annotator, work, seen=2, act_id=new_id())
    begin(people.colleague, another_figure("Rice").id, "Secret -> B")
    file = effort.export_effort(people.researcher)
    text = file.content.decode("utf-8-sig")
    assert "The annotator" not in text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["paper"] for row in rows] == ["'=1+1 Grain", "Rice"]
    assert [(row["edges"], row["active minutes"], row["edges per active minute"]) for row in rows] == [
        ("2", "1.00", "2.00"),
        ("", "0.00", ""),
    ]
    assert rows[0]["annotator"].startswith("A")
