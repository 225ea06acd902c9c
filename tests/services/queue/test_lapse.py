"""Claims that lapse and come back, and nothing of them lost."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.errors import Refused
from services.queue.work import NoFreeClaim, return_claim
from services.study import Study
from services.transcription import lists, queue, reading, transcribing
from services.transcription.work_kind import FIGURES
from store.tables import AssignmentRow
from tests.conftest import Clock
from tests.services.queue_hands import (
    act,
    acts_about,
    draw,
    hand_in,
    settle,
    state_of,
    take,
    take_next,
)

pytestmark = pytest.mark.both

# --- claims that lapse -------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_a_claim_lapses_so_long_after_the_last_edit_and_no_earlier(
    lasting: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    work = take(people.annotator, a_figure)
    clock.advance(hours=71)
    draw(people.annotator, work)  # prolongs it by itself
    clock.advance(hours=71, minutes=59)
    draw(people.annotator, work, "B -> C")
    clock.advance(hours=72)
    with pytest.raises(Refused, match="Press Resume to continue"):
        draw(people.annotator, work, "C -> D")
    shown = reading.transcription(people.annotator, work)
    assert (shown.state, shown.may_edit, len(shown.record.edges)) == ("abandoned", False, 2)
    (mine,) = lists.own_lists(people.annotator).mine
    assert (mine.state, mine.ended, mine.can_resume, mine.edges) == ("abandoned", "lapsed", True, 2)


@pytest.mark.both(usually=False)
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
        with pytest.raises(Refused, match="expired"):
            late()
    assert reading.transcription(people.annotator, work).version == 2


def test_a_lapsed_place_goes_to_the_next_who_asks_and_its_drawing_is_kept(
    lasting: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    queue.want(people.owner, [a_figure.id], 1, **act())
    work = take(people.annotator, a_figure)
    draw(people.annotator, work)
    with pytest.raises(NoFreeClaim):
        take(people.colleague, a_figure)
    clock.advance(hours=72)
    assert [each.figure_id for each in lists.own_lists(people.colleague).free] == [a_figure.id]
    theirs = take_next(people.colleague)
    assert acts_about(study, work) == ["transcription.take", "queue.lapse"]
    (mine,) = lists.own_lists(people.annotator).mine
    assert (mine.state, mine.can_resume, mine.edges) == ("abandoned", False, 1)
    with pytest.raises(NoFreeClaim, match="Your edges are kept"):
        take(people.annotator, a_figure)
    return_claim(people.owner, FIGURES, theirs, **act())
    assert take(people.annotator, a_figure) == work
    assert state_of(people.annotator, work) == "open"
    draw(people.annotator, work, "B -> C")
    assert len(reading.transcription(people.annotator, work).record.edges) == 2


@pytest.mark.both(usually=False)
def test_what_came_back_has_its_time_from_then_and_is_resumed_as_what_came_back(
    lasting: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    work = take(people.annotator, a_figure)
    hand_in(people.annotator, work)
    clock.advance(days=30)
    assert state_of(people.annotator, work) == "submitted"  # what is handed in never lapses
    transcribing.return_to_annotator(people.reviewer, work, "Look again", **act())
    clock.advance(hours=71)
    assert state_of(people.annotator, work) == "returned"
    clock.advance(hours=1)
    assert state_of(people.annotator, work) == "abandoned"
    take(people.annotator, a_figure)
    assert state_of(people.annotator, work) == "returned"


@pytest.mark.both(usually=False)
def test_longer_hours_hold_for_what_is_being_drawn(
    lasting: None, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, clock: Clock
) -> None:
    work = take(people.annotator, a_figure)
    draw(people.annotator, work)
    clock.advance(hours=80)
    assert state_of(people.annotator, work) == "abandoned"
    settle(people.owner, idle_hours=100)
    assert state_of(people.annotator, work) == "open"


@pytest.mark.both(usually=False)
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
