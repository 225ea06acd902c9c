"""The queue: places under a crowd, claims that lapse and come back, who is kept out, what those in charge do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from random import Random
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import event as happening
from sqlmodel import col, select

from core.errors import BadInput, Conflict, Missing, Refused, StoreTrouble
from core.people import Receipt, Role, Viewer
from core.queue import wanted_of
from services import (
    access,
    guidelines,
    papers,
    queue_settings,
    queueing,
    transcribing,
    transcription_reading,
    worklists,
)
from services import people as people_service
from services.acting import terminal_viewer
from services.claims import NoPlace
from services.overview import overview
from services.queue_settings import QueueSettings
from services.queueing import QueueLine
from services.study import Study
from store.tables import AssignmentRow, EventRow, FigureRow, PaperRow, new_id
from tests.conftest import Clock, set_ready

Figures = Callable[[str], SimpleNamespace]


def act() -> dict[str, Any]:
    return {"act_id": new_id()}


def take(viewer: Viewer, figure: SimpleNamespace) -> str:
    return transcribing.take(viewer, figure.id, **act()).subject_id


def take_next(viewer: Viewer) -> str:
    return queueing.take_next(viewer, **act()).subject_id


def draw(viewer: Viewer, work: str, line: str = "A -> B") -> None:
    seen = transcribing.transcription(viewer, work).version
    transcribing.add_lines(viewer, work, line, pasted=False, seen=seen, **act())


def hand_in(viewer: Viewer, work: str) -> None:
    draw(viewer, work)
    transcribing.submit(viewer, work, seen=transcribing.transcription(viewer, work).version, **act())


def settle(viewer: Viewer, **wanted: Any) -> None:
    now = queue_settings.settings(viewer)
    queue_settings.save_settings(viewer, QueueSettings(**wanted), seen=now.version, **act())


def line_of(viewer: Viewer, figure: SimpleNamespace) -> QueueLine:
    return next(line for line in queueing.queue_of_study(viewer).lines if line.figure_id == figure.id)


def state_of(viewer: Viewer, work: str) -> str:
    return transcribing.transcription(viewer, work).state


def acts_about(study: Study, work: str) -> list[str]:
    with study.store.reading() as session:
        rows = session.exec(select(EventRow).where(EventRow.subject_id == work).order_by(col(EventRow.seq)))
        return [row.act for row in rows]


# --- a crowd -----------------------------------------------------------------------------------------------------

CROWD = 200


@pytest.fixture
def crowd(study: Study) -> list[Viewer]:
    """Two hundred annotators, signed in and ready."""
    now = study.clock()
    with study.store.writing() as session:
        found = []
        for number in range(CROWD):
            person = access.new_person(session, f"Person {number}", [Role.ANNOTATOR], now)
            set_ready(session, person.id, now)
            found.append(access._open_session(session, person, now).viewer)
    return found


@pytest.fixture
def many_figures(study: Study) -> Callable[[int], list[str]]:
    """`many_figures(n)` locates n figures of one paper, a second apart, and returns their ids, oldest first."""

    def locate(count: int) -> list[str]:
        now = study.clock()
        paper = PaperRow(title="Many loops", created_by="terminal", created_at=now)
        rows = [
            FigureRow(
                paper_id=paper.id, page=1, x0=0, y0=0, x1=9, y1=9, label=f"Figure {n}", created_by="terminal",
                created_at=now + timedelta(seconds=n),
            )
            for n in range(count)
        ]  # fmt: skip
        with study.store.writing() as session:
            session.add(paper)
            session.flush()
            session.add_all(rows)
        return [row.id for row in rows]

    return locate


def claims_kept(study: Study) -> list[tuple[str, str]]:
    """(figure, person) of every claim that stands."""
    with study.store.reading() as session:
        rows = session.exec(select(AssignmentRow).where(AssignmentRow.state != "abandoned"))
        return [(row.subject_id, row.person_id) for row in rows]


def all_at_once(jobs: list[Callable[[], str | None]]) -> list[str | None]:
    """Every job in a thread of its own, begun together. A job that raises fails the test."""
    gate = Barrier(len(jobs))

    def run(job: Callable[[], str | None]) -> str | None:
        gate.wait(60)
        return job()

    with ThreadPoolExecutor(len(jobs)) as threads:
        return list(threads.map(run, jobs))


def asked(ask: Callable[[], Receipt]) -> Receipt:
    """What a browser does: told that the store is busy, it sends the same act again."""
    while True:
        try:
            return ask()
        except StoreTrouble as trouble:
            assert str(trouble).startswith("Busy, not saved")


def test_two_hundred_annotators_who_ask_at_once_each_get_one_of_two_hundred_places(
    study: Study, crowd: list[Viewer], many_figures: Callable[[int], list[str]]
) -> None:
    figures = many_figures(CROWD // 2)

    def ask(number: int, viewer: Viewer) -> Callable[[], str | None]:
        one_act = new_id()

        def job() -> str | None:
            first = asked(partial(queueing.take_next, viewer, act_id=one_act))
            if number % 10:
                return first.subject_id
            again = asked(partial(queueing.take_next, viewer, act_id=one_act))  # the browser sends it once more
            assert (again.subject_id, again.is_repeat) == (first.subject_id, True)
            second_click = asked(partial(queueing.take_next, viewer, **act()))
            assert second_click.subject_id == first.subject_id
            return first.subject_id

        return job

    got = all_at_once([ask(number, viewer) for number, viewer in enumerate(crowd)])
    assert len(set(got)) == CROWD  # nobody was told that nothing is left while a place was free
    kept = claims_kept(study)
    assert Counter(figure for figure, _person in kept) == dict.fromkeys(figures, 2)
    assert len(set(kept)) == len({person for _figure, person in kept}) == CROWD


def test_two_hundred_annotators_who_click_and_ask_until_nothing_is_left_fill_every_place_and_none_twice(
    study: Study, crowd: list[Viewer], many_figures: Callable[[int], list[str]]
) -> None:
    figures = many_figures(30)
    settle(terminal_viewer(), overlap=3)
    queueing.want(terminal_viewer(), figures[:5], 7, **act())

    def work(number: int, viewer: Viewer) -> Callable[[], str | None]:
        lots = Random(number)

        def job() -> str | None:
            for figure in lots.sample(figures, 2):
                try:
                    asked(partial(transcribing.take, viewer, figure, **act()))
                except NoPlace:
                    continue
            try:
                return asked(partial(queueing.take_next, viewer, **act())).subject_id
            except Refused as refusal:
                assert "No figure is free for you now" in str(refusal)
                return None

        return job

    got = all_at_once([work(number, viewer) for number, viewer in enumerate(crowd)])
    kept = claims_kept(study)
    assert Counter(figure for figure, _person in kept) == {
        figure: 7 if figure in figures[:5] else 3 for figure in figures
    }
    assert len(set(kept)) == len(kept) == 5 * 7 + 25 * 3
    # Whoever got nothing came when every place was taken.
    assert sum(each is not None for each in got) == len({person for _figure, person in kept})


def test_two_tabs_of_one_person_who_ask_together_get_one_figure(
    study: Study, people: SimpleNamespace, many_figures: Callable[[int], list[str]]
) -> None:
    many_figures(20)
    got = all_at_once([lambda: asked(partial(queueing.take_next, people.annotator, **act())).subject_id] * 20)
    assert len(set(got)) == 1
    assert len(claims_kept(study)) == 1


# --- who gets what -----------------------------------------------------------------------------------------------


def test_the_next_figure_is_the_urgent_one_then_the_begun_then_the_oldest(
    study: Study, people: SimpleNamespace, another_figure: Figures, clock: Clock
) -> None:
    figures = {}
    for title in ("Old", "Begun", "Urgent"):
        figures[title] = another_figure(title)
        clock.advance(minutes=1)
    take(people.colleague, figures["Begun"])
    queueing.prioritise(people.owner, [figures["Urgent"].id], 5, **act())
    titles = [work.paper_title for work in worklists.figures_to_take(people.annotator)]
    assert titles == ["Urgent", "Begun", "Old"]
    for title in titles:
        work = take_next(people.annotator)
        assert transcribing.transcription(people.annotator, work).figure.paper_title == title
        hand_in(people.annotator, work)
    with pytest.raises(Refused, match="No figure is free for you now"):
        take_next(people.annotator)


def test_what_came_back_goes_before_what_is_open_and_both_before_anything_new(
    study: Study, people: SimpleNamespace, another_figure: Figures
) -> None:
    first, second = take(people.annotator, another_figure("One")), take(people.annotator, another_figure("Two"))
    another_figure("Three")
    assert take_next(people.annotator) in (first, second)
    hand_in(people.annotator, second)
    transcribing.give_back(people.reviewer, second, "Look again", **act())
    assert take_next(people.annotator) == second
    found = worklists.next_work(people.annotator)
    assert found.work is not None
    assert (found.verb, found.work.assignment_id, found.free) == ("Came back", second, 1)


def test_a_figure_is_full_with_as_many_as_are_wanted_and_says_so(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    third = newcomer("A third annotator", Role.ANNOTATOR)
    take(people.annotator, a_figure)
    hand_in(people.colleague, take(people.colleague, a_figure))
    assert worklists.figures_to_take(third) == ()
    with pytest.raises(NoPlace, match="Every place of this figure is taken"):
        take(third, a_figure)
    queueing.want(people.researcher, [a_figure.id], 3, **act())
    assert take(third, a_figure)


def test_the_share_with_a_second_annotation_is_the_one_that_the_seed_draws(
    study: Study, people: SimpleNamespace, many_figures: Callable[[int], list[str]]
) -> None:
    figures = many_figures(60)
    settle(people.owner, overlap=2, share=0.5, seed=11)
    rule = queue_settings.settings(people.owner).rule
    expected = {figure: wanted_of("transcription", figure, rule) for figure in figures}
    found = {line.figure_id: line.wanted for line in queueing.queue_of_study(people.owner).lines}
    assert found == expected
    assert set(found.values()) == {1, 2}
    single = next(figure for figure in figures if expected[figure] == 1)
    transcribing.take(people.annotator, single, **act())
    with pytest.raises(NoPlace):
        transcribing.take(people.colleague, single, **act())


def test_nothing_is_taken_before_the_guidelines_are_read_and_the_training_is_done(
    untrained: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    guidelines.save_guidelines(people.owner, "Copy what is printed.", seen=0, **act())
    for ask in (lambda: take(people.annotator, a_figure), lambda: take_next(people.annotator)):
        with pytest.raises(Refused, match="Read the guidelines"):
            ask()
    guidelines.acknowledge(people.annotator, 1, **act())
    for ask in (lambda: take(people.annotator, a_figure), lambda: take_next(people.annotator)):
        with pytest.raises(Refused, match="Draw the training figure first"):
            ask()
    assert claims_kept(study) == []
    work = queueing.hand_out(people.owner, a_figure.id, people.annotator.person_id, **act()).subject_id
    assert take_next(people.annotator) == work  # it waits for them; its screen asks for the training first


def test_a_figure_of_an_archived_or_excluded_paper_is_not_taken(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    papers.archive(people.researcher, a_figure.paper_id, True, seen=1, **act())
    with pytest.raises(Refused, match="archived or excluded"):
        take(people.annotator, a_figure)


# --- blind -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("judgement", ["accept", "give_back"])
def test_who_judged_a_transcription_does_not_draw_the_figure(
    judgement: str, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = take(people.colleague, a_figure)
    hand_in(people.colleague, work)
    if judgement == "accept":
        transcribing.accept(people.researcher, work, **act())
    else:
        transcribing.give_back(people.researcher, work, "Look again", **act())
    with pytest.raises(Refused, match="would not be blind"):
        take(people.researcher, a_figure)
    assert worklists.figures_to_take(people.researcher) == ()
    with pytest.raises(Refused, match="No figure is free"):
        take_next(people.researcher)
    with pytest.raises(Refused, match="theirs would not be blind"):
        queueing.hand_out(people.owner, a_figure.id, people.researcher.person_id, **act())
    assert take(people.owner, a_figure)  # who has not seen it may


def test_who_adjudicates_a_figure_does_not_draw_it(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    with study.store.writing() as session:
        session.add(
            AssignmentRow(
                kind="adjudication",
                subject_id=a_figure.id,
                person_id=people.researcher.person_id,
                claimed_at=study.clock(),
            )
        )
    with pytest.raises(Refused, match="would not be blind"):
        take(people.researcher, a_figure)
    assert worklists.figures_to_take(people.researcher) == ()


def test_a_figure_whose_adjudication_began_is_handed_out_no_more(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    queueing.want(people.owner, [a_figure.id], 3, **act())
    mine = take(people.annotator, a_figure)
    with study.store.writing() as session:
        row = AssignmentRow(
            kind="adjudication", subject_id=a_figure.id, person_id=people.reviewer.person_id, claimed_at=study.clock()
        )
        session.add(row)
    assert worklists.figures_to_take(people.colleague) == ()
    with pytest.raises(Refused, match="being adjudicated"):
        take(people.colleague, a_figure)
    assert take(people.annotator, a_figure) == mine  # who is at it goes on


def test_who_draws_a_figure_neither_sees_nor_judges_what_others_handed_in(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    theirs = take(people.colleague, a_figure)
    hand_in(people.colleague, theirs)
    mine = take(people.researcher, a_figure)
    assert worklists.submitted_work(people.researcher) == ()
    for look in (
        lambda: transcription_reading.transcription(people.researcher, theirs),
        lambda: transcription_reading.require_transcription(people.researcher, theirs),
        lambda: transcribing.accept(people.researcher, theirs, **act()),
        lambda: transcribing.give_back(people.researcher, theirs, "Look again", **act()),
    ):
        with pytest.raises(Refused, match="drawing this figure yourself"):
            look()
    hand_in(people.researcher, mine)
    assert transcription_reading.transcription(people.researcher, theirs).may_return


def test_neither_lists_nor_counts_tell_an_annotator_who_else_draws_a_figure(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, another_figure: Figures
) -> None:
    another_figure("Another")

    def told() -> str:
        return repr((
            worklists.figures_to_take(people.annotator), worklists.my_work(people.annotator),
            worklists.next_work(people.annotator),
        ))  # fmt: skip

    take(people.annotator, a_figure)
    before = told()
    hand_in(people.colleague, take(people.colleague, a_figure))
    assert told() == before
    assert people.colleague.person_id not in before
    assert "colleague" not in before


# --- claims that lapse -------------------------------------------------------------------------------------------


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions that outlive the idle time of claims, so that the test clock can be moved by days."""
    monkeypatch.setattr("store.sessions.IDLE", timedelta(days=365))
    monkeypatch.setattr("store.sessions.LIFETIME", timedelta(days=365))


def test_a_claim_lapses_so_long_after_the_last_edit_and_no_earlier(
    lasting: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    work = take(people.annotator, a_figure)
    clock.advance(hours=71)
    draw(people.annotator, work)  # prolongs it by itself
    clock.advance(hours=71, minutes=59)
    draw(people.annotator, work, "B -> C")
    clock.advance(hours=72)
    with pytest.raises(Refused, match="press Resume to go on"):
        draw(people.annotator, work, "C -> D")
    shown = transcribing.transcription(people.annotator, work)
    assert (shown.state, shown.may_edit, len(shown.record.edges)) == ("abandoned", False, 2)
    (mine,) = worklists.my_work(people.annotator)
    assert (mine.state, mine.ended, mine.can_resume, mine.edges) == ("abandoned", "lapsed", True, 2)


def test_every_act_on_a_lapsed_claim_is_refused_and_none_of_it_is_kept(
    lasting: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    work = take(people.annotator, a_figure)
    draw(people.annotator, work)
    clock.advance(hours=73)
    for late in (
        lambda: transcribing.submit(people.annotator, work, seen=2, **act()),
        lambda: transcribing.undo(people.annotator, work, seen=2, **act()),
        lambda: transcribing.add_lines(people.annotator, work, "faulty", pasted=False, seen=2, **act()),
    ):
        with pytest.raises(Refused, match="lapsed"):
            late()
    assert transcribing.transcription(people.annotator, work).version == 2


def test_a_lapsed_place_goes_to_the_next_who_asks_and_its_drawing_is_kept(
    lasting: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    queueing.want(people.owner, [a_figure.id], 1, **act())
    work = take(people.annotator, a_figure)
    draw(people.annotator, work)
    with pytest.raises(NoPlace):
        take(people.colleague, a_figure)
    clock.advance(hours=72)
    assert [each.figure_id for each in worklists.figures_to_take(people.colleague)] == [a_figure.id]
    theirs = take_next(people.colleague)
    assert acts_about(study, work) == ["transcription.take", "queue.lapse"]
    (mine,) = worklists.my_work(people.annotator)
    assert (mine.state, mine.can_resume, mine.edges) == ("abandoned", False, 1)
    with pytest.raises(NoPlace, match="What you drew is kept"):
        take(people.annotator, a_figure)
    queueing.free(people.owner, theirs, **act())
    assert take(people.annotator, a_figure) == work
    assert state_of(people.annotator, work) == "open"
    draw(people.annotator, work, "B -> C")
    assert len(transcribing.transcription(people.annotator, work).record.edges) == 2


def test_what_came_back_has_its_time_from_then_and_is_resumed_as_what_came_back(
    lasting: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    work = take(people.annotator, a_figure)
    hand_in(people.annotator, work)
    clock.advance(days=30)
    assert state_of(people.annotator, work) == "submitted"  # what is handed in never lapses
    transcribing.give_back(people.reviewer, work, "Look again", **act())
    clock.advance(hours=71)
    assert state_of(people.annotator, work) == "returned"
    clock.advance(hours=1)
    assert state_of(people.annotator, work) == "abandoned"
    take(people.annotator, a_figure)
    assert state_of(people.annotator, work) == "returned"


def test_longer_hours_hold_for_what_is_being_drawn(
    lasting: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    work = take(people.annotator, a_figure)
    draw(people.annotator, work)
    clock.advance(hours=80)
    assert state_of(people.annotator, work) == "abandoned"
    settle(people.owner, idle_hours=100)
    assert state_of(people.annotator, work) == "open"


def test_work_from_before_claims_had_an_end_lapses_too(
    lasting: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    work = take(people.annotator, a_figure)
    with study.store.writing() as session:
        row = session.get(AssignmentRow, work)
        assert row is not None
        row.expires_at = None
    clock.advance(hours=71)
    assert state_of(people.annotator, work) == "open"
    clock.advance(hours=1)
    assert state_of(people.annotator, work) == "abandoned"


def test_an_edit_before_the_end_asks_the_store_no_more_than_it_must(
    lasting: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    """The lapse is worked out from what is there: an edit writes what it wrote before there was a queue."""
    work = take(people.annotator, a_figure)
    draw(people.annotator, work)
    with study.store.reading() as session:
        before = session.get(AssignmentRow, work)
        assert before is not None
    clock.advance(hours=70)
    draw(people.annotator, work, "B -> C")
    clock.advance(hours=70)
    draw(people.annotator, work, "C -> D")
    with study.store.reading() as session:
        after = session.get(AssignmentRow, work)
        assert after is not None
    assert (after.version, after.expires_at) == (before.version, before.expires_at)


# --- those who run the study -------------------------------------------------------------------------------------


def test_those_in_charge_see_who_holds_what_since_when_and_until_when(
    lasting: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    began = clock.now
    work = take(people.annotator, a_figure)
    hand_in(people.colleague, take(people.colleague, a_figure))
    clock.advance(hours=3)
    draw(people.annotator, work)
    line = line_of(people.researcher, a_figure)
    assert (line.wanted, line.handed_in, line.in_progress, line.free, line.turn) == (2, 1, 1, 0, 0)
    (holder,), (done,) = line.holders, line.done
    assert (holder.name, holder.state, holder.since) == ("The annotator", "open", began)
    assert holder.lapses_at == began + timedelta(hours=75)
    assert (done.name, done.state, done.lapses_at) == ("The colleague", "submitted", None)
    clock.advance(hours=72)
    line = line_of(people.researcher, a_figure)
    assert (line.in_progress, line.free, line.turn) == (0, 1, 1)
    assert [each.name for each in line.ended] == ["The annotator"]


def test_a_figure_is_handed_to_a_named_person_but_not_beyond_what_is_wanted(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    queueing.want(people.owner, [a_figure.id], 1, **act())
    receipt = queueing.hand_out(people.researcher, a_figure.id, people.annotator.person_id, **act())
    (mine,) = worklists.my_work(people.annotator)
    assert (mine.assignment_id, mine.state) == (receipt.subject_id, "open")
    draw(people.annotator, receipt.subject_id)
    with pytest.raises(Refused, match="The annotator has this figure already"):
        queueing.hand_out(people.researcher, a_figure.id, people.annotator.person_id, **act())
    with pytest.raises(NoPlace, match="raise how many are wanted"):
        queueing.hand_out(people.researcher, a_figure.id, people.colleague.person_id, **act())
    queueing.want(people.owner, [a_figure.id], None, **act())
    queueing.hand_out(people.researcher, a_figure.id, people.colleague.person_id, **act())
    assert acts_about(study, receipt.subject_id) == ["queue.assign"]


def test_only_active_people_who_may_draw_are_offered_and_given_figures(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    names = [name for _id, name in queueing.queue_of_study(people.owner).people]
    assert names == ["The annotator", "The researcher", "The owner", "The colleague"]
    people_service.set_active(people.owner, people.colleague.person_id, False, seen=1, **act())
    for other in (people.reviewer, people.expert, people.colleague):
        for give in (
            lambda person: queueing.hand_out(people.owner, a_figure.id, person, **act()),
            lambda person: queueing.hand_out_next(people.owner, person, **act()),
        ):
            with pytest.raises(Refused, match="may not transcribe figures"):
                give(other.person_id)
    with pytest.raises(Missing):
        queueing.hand_out(people.owner, a_figure.id, "nobody", **act())


def test_the_next_figure_is_handed_to_a_person_also_if_they_have_some(
    study: Study, people: SimpleNamespace, another_figure: Figures
) -> None:
    another_figure("One")
    another_figure("Two")
    got = {queueing.hand_out_next(people.owner, people.annotator.person_id, **act()).subject_id for _ in range(2)}
    assert len(got) == 2
    with pytest.raises(Refused, match="No figure is free for The annotator now"):
        queueing.hand_out_next(people.owner, people.annotator.person_id, **act())


def test_a_claim_that_was_given_back_frees_its_place_tells_its_person_and_keeps_the_drawing(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = take(people.annotator, a_figure)
    draw(people.annotator, work)
    queueing.free(people.owner, work, **act())
    assert line_of(people.owner, a_figure).free == 2
    (mine,) = worklists.my_work(people.annotator)
    assert (mine.state, mine.ended, mine.can_resume, mine.edges) == ("abandoned", "freed", True, 1)
    with pytest.raises(Refused, match="was given back"):
        draw(people.annotator, work, "B -> C")
    with pytest.raises(Refused, match="only unfinished work"):
        queueing.free(people.owner, work, **act())
    assert take(people.annotator, a_figure) == work
    hand_in(people.annotator, work)
    with pytest.raises(Refused, match="only unfinished work"):
        queueing.free(people.owner, work, **act())


def test_priority_and_wanted_are_set_for_many_figures_in_one_act(
    study: Study, people: SimpleNamespace, many_figures: Callable[[int], list[str]]
) -> None:
    figures = many_figures(20)
    queueing.prioritise(people.researcher, figures[10:], 7, **act())
    queueing.want(people.researcher, figures[5:], 0, **act())
    lines = {line.figure_id: line for line in queueing.queue_of_study(people.owner).lines}
    assert [lines[figure].priority for figure in figures] == [0] * 10 + [7] * 10
    assert [lines[figure].wanted for figure in figures] == [2] * 5 + [0] * 15
    assert list(lines) == figures  # what is handed out next stands first, then what is not handed out
    assert len(worklists.figures_to_take(people.annotator)) == 5
    with study.store.reading() as session:
        acts = [row.act for row in session.exec(select(EventRow).where(EventRow.subject_kind == "queue"))]
    assert acts == ["queue.priority", "queue.wanted"]
    for refused, error in (
        (lambda: queueing.prioritise(people.owner, figures, 101, **act()), BadInput),
        (lambda: queueing.want(people.owner, figures, -1, **act()), BadInput),
        (lambda: queueing.want(people.owner, [], 1, **act()), BadInput),
        (lambda: queueing.want(people.owner, ["no such figure"], 1, **act()), Missing),
    ):
        with pytest.raises(error):
            refused()


def test_fewer_wanted_takes_no_place_away(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    works = [take(people.annotator, a_figure), take(people.colleague, a_figure)]
    queueing.want(people.owner, [a_figure.id], 1, **act())
    assert line_of(people.owner, a_figure).free == 0
    hand_in(people.annotator, works[0])
    hand_in(people.colleague, works[1])


def test_settings_are_kept_with_their_event_and_not_over_someone_elses(study: Study, people: SimpleNamespace) -> None:
    assert queue_settings.settings(people.owner) == QueueSettings(2, 1.0, 1, 72, 0)
    queue_settings.save_settings(people.researcher, QueueSettings(3, 0.25, 9, 24), seen=0, **act())
    assert queue_settings.settings(people.owner) == QueueSettings(3, 0.25, 9, 24, 1)
    with pytest.raises(Conflict):
        queue_settings.save_settings(people.owner, QueueSettings(), seen=0, **act())
    for wrong in (
        QueueSettings(overlap=0), QueueSettings(overlap=51), QueueSettings(share=1.5),
        QueueSettings(share=float("nan")), QueueSettings(seed=-1),
        QueueSettings(idle_hours=0), QueueSettings(idle_hours=8_761),
    ):  # fmt: skip
        with pytest.raises(BadInput):
            queue_settings.save_settings(people.owner, wrong, seen=1, **act())
    with study.store.reading() as session:
        (kept,) = session.exec(select(EventRow).where(EventRow.act == "queue.settings"))
    assert kept.payload["before"] == {"overlap": 2, "share": 1.0, "seed": 1, "idle_hours": 72}
    assert kept.payload["after"] == {"overlap": 3, "share": 0.25, "seed": 9, "idle_hours": 24}


def test_the_overview_counts_as_the_queue_does(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    for viewer in (people.annotator, people.colleague):
        hand_in(viewer, take(viewer, a_figure))

    def twice() -> int:
        return next(step.count for step in overview(people.owner).funnel if step.label == "twice")

    assert twice() == 1
    queueing.want(people.owner, [a_figure.id], 3, **act())
    assert twice() == 0
    steps = [step.sentence for step in overview(people.researcher).next_steps]
    assert "Take: Grain and people" in steps
    assert not any(step.sentence.startswith("Take") for step in overview(people.annotator).next_steps)


def queries(study: Study, look: Callable[[], object]) -> int:
    """How many statements the read takes."""
    count = 0

    def counted(*_arguments: object) -> None:
        nonlocal count
        count += 1

    engine = study.store._reader
    happening.listen(engine, "before_cursor_execute", counted)
    try:
        look()
    finally:
        happening.remove(engine, "before_cursor_execute", counted)
    return count


def test_hundreds_of_figures_take_no_more_queries_than_one(
    study: Study, people: SimpleNamespace, many_figures: Callable[[int], list[str]]
) -> None:
    looks: list[Callable[[], object]] = [
        lambda: queueing.queue_of_study(people.owner),
        lambda: worklists.figures_to_take(people.annotator),
        lambda: worklists.my_work(people.colleague),
        lambda: worklists.submitted_work(people.reviewer),
        lambda: overview(people.owner),
    ]
    hand_in(people.colleague, transcribing.take(people.colleague, many_figures(1)[0], **act()).subject_id)
    few = [queries(study, look) for look in looks]
    figures = many_figures(300)
    now = study.clock()
    with study.store.writing() as session:  # as `take` leaves them, in one go
        for figure in figures[:200]:
            for viewer, state in ((people.colleague, "submitted"), (people.annotator, "open")):
                row = AssignmentRow(
                    kind="transcription", subject_id=figure, person_id=viewer.person_id, state=state,
                    claimed_at=now, expires_at=now + timedelta(hours=72), submitted_at=now,
                )  # fmt: skip
                session.add(row)
    assert [queries(study, look) for look in looks] == few
    assert len(queueing.queue_of_study(people.owner).lines) == 301
