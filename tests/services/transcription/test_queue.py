"""The queue: who gets what, and what those in charge see and do."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

import pytest
from sqlmodel import col, select

from core.errors import BadInput, Conflict, Missing, Refused
from core.people import Role, Viewer
from core.transcription.queue import number_of_annotators
from services.overview import overview
from services.papers import papers
from services.people import people as people_service
from services.queue import settings
from services.queue.settings import QueueSettings
from services.queue.work import NoFreeClaim, return_claim
from services.study import Study
from services.transcription import guidelines, lists, queue, reading, transcribing
from services.transcription.work_kind import FIGURES
from store.tables import AssignmentRow, EventRow
from tests.conftest import Clock
from tests.query_counts import asked
from tests.services.queue_hands import (
    Figures,
    act,
    acts_about,
    claims_kept,
    draw,
    hand_in,
    line_of,
    settle,
    take,
    take_next,
)

pytestmark = pytest.mark.both

# --- who gets what -----------------------------------------------------------------------------------------------


def test_the_next_figure_is_the_urgent_one_then_the_begun_then_the_oldest(
    study: Study, people: SimpleNamespace, another_figure: Figures, clock: Clock
) -> None:
    figures = {}
    for title in ("Old", "Begun", "Urgent"):
        figures[title] = another_figure(title)
        clock.advance(minutes=1)
    take(people.colleague, figures["Begun"])
    queue.prioritise(people.owner, [figures["Urgent"].id], 5, **act())
    titles = [work.paper_title for work in lists.own_lists(people.annotator).free]
    assert titles == ["Urgent", "Begun", "Old"]
    for title in titles:
        work = take_next(people.annotator)
        assert reading.transcription(people.annotator, work).figure.paper_title == title
        hand_in(people.annotator, work)
    with pytest.raises(Refused, match="No figure is free for you now"):
        take_next(people.annotator)


@pytest.mark.both(usually=False)
def test_what_came_back_goes_before_what_is_open_and_both_before_anything_new(
    study: Study, people: SimpleNamespace, another_figure: Figures
) -> None:
    first, second = take(people.annotator, another_figure("One")), take(people.annotator, another_figure("Two"))
    another_figure("Three")
    assert take_next(people.annotator) in (first, second)
    hand_in(people.annotator, second)
    transcribing.return_to_annotator(people.reviewer, second, "Look again", **act())
    assert take_next(people.annotator) == second
    found = lists.own_lists(people.annotator).next
    assert found.work is not None
    assert (found.verb, found.work.assignment_id, found.free) == ("Correct", second, 1)


@pytest.mark.both(usually=False)
def test_a_figure_is_full_with_as_many_as_are_wanted_and_says_so(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    third = newcomer("A third annotator", Role.ANNOTATOR)
    take(people.annotator, a_figure)
    hand_in(people.colleague, take(people.colleague, a_figure))
    assert lists.own_lists(third).free == ()
    with pytest.raises(NoFreeClaim, match="All places of this figure are taken"):
        take(third, a_figure)
    queue.want(people.researcher, [a_figure.id], 3, **act())
    assert take(third, a_figure)


def test_the_share_with_a_second_annotation_is_the_one_that_the_seed_draws(
    study: Study, people: SimpleNamespace, many_figures: Callable[[int], list[str]]
) -> None:
    figures = many_figures(60)
    settle(people.owner, overlap=2, share=0.5, seed=11)
    rule = settings.settings(people.owner).rule
    expected = {figure: number_of_annotators("transcription", figure, rule) for figure in figures}
    found = {line.figure_id: line.wanted for line in queue.queue_of_study(people.owner).lines}
    assert found == expected
    assert set(found.values()) == {1, 2}
    single = next(figure for figure in figures if expected[figure] == 1)
    transcribing.take(people.annotator, single, **act())
    with pytest.raises(NoFreeClaim):
        transcribing.take(people.colleague, single, **act())


@pytest.mark.both(usually=False)
def test_nothing_is_taken_before_the_guidelines_are_read_and_the_training_is_done(
    untrained: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    guidelines.save_guidelines(people.owner, "Copy what is printed.", seen=0, **act())
    asks: list[Callable[[], str]] = [lambda: take(people.annotator, a_figure), lambda: take_next(people.annotator)]
    for ask in asks:
        with pytest.raises(Refused, match="Read the guidelines"):
            ask()
    guidelines.acknowledge(people.annotator, 1, **act())
    for ask in asks:
        with pytest.raises(Refused, match="practice diagram first"):
            ask()
    assert claims_kept(study) == []
    work = queue.assign(people.owner, a_figure.id, people.annotator.person_id, **act()).subject_id
    assert take_next(people.annotator) == work  # it waits for them; its screen asks for the training first


def test_a_figure_of_an_archived_or_excluded_paper_is_not_taken(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    papers.archive(people.researcher, a_figure.paper_id, True, seen=1, **act())
    with pytest.raises(Refused, match="archived or excluded"):
        take(people.annotator, a_figure)


# --- those who run the study -------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_those_in_charge_see_who_holds_what_since_when_and_until_when(
    lasting: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    began = clock.now
    work = take(people.annotator, a_figure)
    hand_in(people.colleague, take(people.colleague, a_figure))
    clock.advance(hours=3)
    draw(people.annotator, work)
    line = line_of(people.researcher, a_figure)
    assert (line.wanted, line.submitted, line.in_progress, line.free, line.turn) == (2, 1, 1, 0, 0)
    (holder,), (done,) = line.holders, line.done
    assert (holder.name, holder.state, holder.since) == ("The annotator", "open", began)
    assert holder.expires_at == began + timedelta(hours=75)
    assert (done.name, done.state, done.expires_at) == ("The colleague", "submitted", None)
    clock.advance(hours=72)
    line = line_of(people.researcher, a_figure)
    assert (line.in_progress, line.free, line.turn) == (0, 1, 1)
    assert [each.name for each in line.ended] == ["The annotator"]


@pytest.mark.both(usually=False)
def test_a_figure_is_handed_to_a_named_person_but_not_beyond_what_is_wanted(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    queue.want(people.owner, [a_figure.id], 1, **act())
    receipt = queue.assign(people.researcher, a_figure.id, people.annotator.person_id, **act())
    (mine,) = lists.own_lists(people.annotator).mine
    assert (mine.assignment_id, mine.state) == (receipt.subject_id, "open")
    draw(people.annotator, receipt.subject_id)
    with pytest.raises(Refused, match="The annotator has this figure already"):
        queue.assign(people.researcher, a_figure.id, people.annotator.person_id, **act())
    with pytest.raises(NoFreeClaim, match="Raise its number of annotators"):
        queue.assign(people.researcher, a_figure.id, people.colleague.person_id, **act())
    queue.want(people.owner, [a_figure.id], None, **act())
    queue.assign(people.researcher, a_figure.id, people.colleague.person_id, **act())
    assert acts_about(study, receipt.subject_id) == ["queue.assign"]


def test_only_active_people_who_may_draw_are_offered_and_given_figures(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    names = [name for _id, name in queue.queue_of_study(people.owner).people]
    assert names == ["The annotator", "The researcher", "The owner", "The colleague"]
    people_service.set_active(people.owner, people.colleague.person_id, False, seen=1, **act())
    gives: list[Callable[[str], object]] = [
        lambda person: queue.assign(people.owner, a_figure.id, person, **act()),
        lambda person: queue.assign_next(people.owner, person, **act()),
    ]
    for other in (people.reviewer, people.expert, people.colleague):
        for give in gives:
            with pytest.raises(Refused, match="cannot transcribe figures"):
                give(other.person_id)
    with pytest.raises(Missing):
        queue.assign(people.owner, a_figure.id, "nobody", **act())


@pytest.mark.both(usually=False)
def test_the_next_figure_is_handed_to_a_person_also_if_they_have_some(
    study: Study, people: SimpleNamespace, another_figure: Figures
) -> None:
    another_figure("One")
    another_figure("Two")
    got = {queue.assign_next(people.owner, people.annotator.person_id, **act()).subject_id for _ in range(2)}
    assert len(got) == 2
    with pytest.raises(Refused, match="No figure is free for The annotator now"):
        queue.assign_next(people.owner, people.annotator.person_id, **act())


@pytest.mark.both(usually=False)
def test_a_claim_that_was_given_back_frees_its_place_tells_its_person_and_keeps_the_drawing(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = take(people.annotator, a_figure)
    draw(people.annotator, work)
    return_claim(people.owner, FIGURES, work, **act())
    assert line_of(people.owner, a_figure).free == 2
    (mine,) = lists.own_lists(people.annotator).mine
    assert (mine.state, mine.ended, mine.can_resume, mine.edges) == ("abandoned", "freed", True, 1)
    with pytest.raises(Refused, match="was returned"):
        draw(people.annotator, work, "B -> C")
    with pytest.raises(Refused, match="only an open claim"):
        return_claim(people.owner, FIGURES, work, **act())
    assert take(people.annotator, a_figure) == work
    hand_in(people.annotator, work)
    with pytest.raises(Refused, match="only an open claim"):
        return_claim(people.owner, FIGURES, work, **act())


@pytest.mark.both(usually=False)
def test_priority_and_wanted_are_set_for_many_figures_in_one_act(
    study: Study, people: SimpleNamespace, many_figures: Callable[[int], list[str]]
) -> None:
    figures = many_figures(20)
    queue.prioritise(people.researcher, figures[10:], 7, **act())
    queue.want(people.researcher, figures[5:], 0, **act())
    lines = {line.figure_id: line for line in queue.queue_of_study(people.owner).lines}
    assert [lines[figure].priority for figure in figures] == [0] * 10 + [7] * 10
    assert [lines[figure].wanted for figure in figures] == [2] * 5 + [0] * 15
    assert list(lines) == figures  # what is handed out next stands first, then what is not handed out
    assert len(lists.own_lists(people.annotator).free) == 5
    with study.store.reading() as session:
        asked = select(EventRow).where(EventRow.subject_kind == "queue").order_by(col(EventRow.seq))
        acts = [row.act for row in session.exec(asked)]
    assert acts == ["queue.priority", "queue.wanted"]
    attempts: list[tuple[Callable[[], object], type[Exception]]] = [
        (lambda: queue.prioritise(people.owner, figures, 101, **act()), BadInput),
        (lambda: queue.want(people.owner, figures, -1, **act()), BadInput),
        (lambda: queue.want(people.owner, [], 1, **act()), BadInput),
        (lambda: queue.want(people.owner, ["no such figure"], 1, **act()), Missing),
    ]
    for refused, error in attempts:
        with pytest.raises(error):
            refused()


@pytest.mark.both(usually=False)
def test_fewer_wanted_takes_no_place_away(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    works = [take(people.annotator, a_figure), take(people.colleague, a_figure)]
    queue.want(people.owner, [a_figure.id], 1, **act())
    assert line_of(people.owner, a_figure).free == 0
    hand_in(people.annotator, works[0])
    hand_in(people.colleague, works[1])


def test_settings_are_kept_with_their_event_and_not_over_someone_elses(study: Study, people: SimpleNamespace) -> None:
    assert settings.settings(people.owner) == QueueSettings(2, 1.0, 1, 72, 0)
    settings.save_settings(people.researcher, QueueSettings(3, 0.25, 9, 24), seen=0, **act())
    assert settings.settings(people.owner) == QueueSettings(3, 0.25, 9, 24, 1)
    with pytest.raises(Conflict):
        settings.save_settings(people.owner, QueueSettings(), seen=0, **act())
    for wrong in (
        QueueSettings(overlap=0),
        QueueSettings(overlap=51),
        QueueSettings(share=1.5),
        QueueSettings(share=float("nan")),
        QueueSettings(seed=-1),
        QueueSettings(idle_hours=0),
        QueueSettings(idle_hours=8_761),
    ):
        with pytest.raises(BadInput):
            settings.save_settings(people.owner, wrong, seen=1, **act())
    with study.store.reading() as session:
        (kept,) = session.exec(select(EventRow).where(EventRow.act == "queue.settings"))
    assert kept.payload["before"] == {"overlap": 2, "share": 1.0, "seed": 1, "idle_hours": 72}
    assert kept.payload["after"] == {"overlap": 3, "share": 0.25, "seed": 9, "idle_hours": 24}


@pytest.mark.both(usually=False)
def test_the_overview_counts_as_the_queue_does(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    for viewer in (people.annotator, people.colleague):
        hand_in(viewer, take(viewer, a_figure))

    def twice() -> int:
        return next(
            step.count for step in overview(people.owner).funnel if step.label == "all transcriptions submitted"
        )

    assert twice() == 1
    queue.want(people.owner, [a_figure.id], 3, **act())
    assert twice() == 0
    steps = [step.sentence for step in overview(people.researcher).next_steps]
    assert "Adjudicate 1 figure" in steps and "Take: Grain and people" not in steps  # nobody rules on their own work
    assert not any(step.sentence.startswith("Take") for step in overview(people.annotator).next_steps)


def queries(look: Callable[[], object]) -> int:
    """How many statements the read takes."""
    with asked() as statements:
        look()
    return len(statements)


@pytest.mark.both(usually=False)
def test_hundreds_of_figures_take_no_more_queries_than_one(
    study: Study, people: SimpleNamespace, many_figures: Callable[[int], list[str]]
) -> None:
    looks: list[Callable[[], object]] = [
        lambda: queue.queue_of_study(people.owner),
        lambda: lists.own_lists(people.annotator).free,
        lambda: lists.own_lists(people.colleague).mine,
        lambda: lists.submitted_work(people.reviewer),
        lambda: overview(people.owner),
    ]
    (first,) = many_figures(1)
    hand_in(people.colleague, transcribing.take(people.colleague, first, **act()).subject_id)
    transcribing.take(people.annotator, first, **act())
    few = [queries(look) for look in looks]
    figures = many_figures(300)
    now = study.clock()
    with study.store.writing() as session:  # as `take` leaves them, in one go
        for figure in figures[:200]:
            for viewer, state in ((people.colleague, "submitted"), (people.annotator, "open")):
                row = AssignmentRow(
                    kind="transcription",
                    subject_id=figure,
                    person_id=viewer.person_id,
                    state=state,
                    claimed_at=now,
                    expires_at=now + timedelta(hours=72),
                    submitted_at=now,
                )
                session.add(row)
    assert [queries(look) for look in looks] == few
    assert len(queue.queue_of_study(people.owner).lines) == 301
