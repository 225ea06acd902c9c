"""Who is kept out of a figure so that every transcription of it is blind."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from sqlmodel import select

from core.errors import Refused
from services.agreement import annotators
from services.graphs import comparing, lab
from services.study import Study
from services.transcription import lists, queue, reading, transcribing
from store.tables import AssignmentRow, EventRow
from tests.services.queue_hands import (
    Figures,
    act,
    hand_in,
    take,
    take_next,
)

# --- blind -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("judgement", ["accept", "give_back"])
@pytest.mark.both(usually=False)
def test_who_judged_a_transcription_does_not_draw_the_figure(
    judgement: str, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = take(people.colleague, a_figure)
    hand_in(people.colleague, work)
    if judgement == "accept":
        transcribing.accept(people.researcher, work, **act())
    else:
        transcribing.return_to_annotator(people.researcher, work, "Look again", **act())
    with pytest.raises(Refused, match="not be blind"):
        take(people.researcher, a_figure)
    assert lists.own_lists(people.researcher).free == ()
    with pytest.raises(Refused, match="figure is free"):
        take_next(people.researcher)
    with pytest.raises(Refused, match="theirs would not"):
        queue.assign(people.owner, a_figure.id, people.researcher.person_id, **act())
    assert take(people.owner, a_figure)  # who has not seen it may


@pytest.mark.both
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
    with pytest.raises(Refused, match="not be blind"):
        take(people.researcher, a_figure)
    assert lists.own_lists(people.researcher).free == ()


@pytest.mark.both
def test_a_figure_whose_adjudication_began_is_handed_out_no_more(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    queue.want(people.owner, [a_figure.id], 3, **act())
    mine = take(people.annotator, a_figure)
    with study.store.writing() as session:
        row = AssignmentRow(
            kind="adjudication", subject_id=a_figure.id, person_id=people.reviewer.person_id, claimed_at=study.clock()
        )
        session.add(row)
    assert lists.own_lists(people.colleague).free == ()
    with pytest.raises(Refused, match="Adjudication of this figure has started"):
        take(people.colleague, a_figure)
    assert take(people.annotator, a_figure) == mine  # who is at it goes on


@pytest.mark.both(usually=False)
def test_who_draws_a_figure_neither_sees_nor_judges_what_others_handed_in(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    theirs = take(people.colleague, a_figure)
    hand_in(people.colleague, theirs)
    mine = take(people.researcher, a_figure)
    assert lists.submitted_work(people.researcher) == ()
    for look in (
        lambda: reading.transcription(people.researcher, theirs),
        lambda: reading.require_transcription(people.researcher, theirs),
        lambda: transcribing.accept(people.researcher, theirs, **act()),
        lambda: transcribing.return_to_annotator(people.researcher, theirs, "Look again", **act()),
    ):
        with pytest.raises(Refused, match="transcribing this figure"):
            look()
    hand_in(people.researcher, mine)
    assert reading.transcription(people.researcher, theirs).may_return


@pytest.mark.both(usually=False)
def test_neither_lists_nor_counts_tell_an_annotator_who_else_draws_a_figure(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, another_figure: Figures
) -> None:
    another_figure("Another")

    def told() -> str:
        return repr(
            (
                lists.own_lists(people.annotator),
                lists.own_lists(people.annotator).next,
            )
        )

    take(people.annotator, a_figure)
    before = told()
    hand_in(people.colleague, take(people.colleague, a_figure))
    assert told() == before
    assert people.colleague.person_id not in before
    assert "colleague" not in before


@pytest.mark.parametrize("way", ["transcription", "graph lab", "comparison", "agreement"])
@pytest.mark.both(usually=False)
def test_who_saw_a_transcription_does_not_draw_the_figure(
    way: str, study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    queue.want(people.owner, [a_figure.id], 3, **act())
    works = [take(viewer, a_figure) for viewer in (people.annotator, people.colleague)]
    graph_ids = []
    for viewer, work in zip((people.annotator, people.colleague), works, strict=True):
        graph_ids.append(reading.transcription(viewer, work).graph_id)
        hand_in(viewer, work)
    assert [work.figure_id for work in lists.own_lists(people.researcher).free] == [a_figure.id]
    looks: dict[str, Callable[[], object]] = {
        "transcription": lambda: reading.transcription(people.researcher, works[0]),
        "graph lab": lambda: lab.open_graph(people.researcher, graph_ids[0]),
        "comparison": lambda: comparing.comparison(people.researcher, *graph_ids),
        "agreement": lambda: annotators.record_exposure(people.researcher, a_figure.id),
    }
    for _twice in range(2):
        looks[way]()
    with study.store.reading() as session:
        looked = session.exec(select(EventRow.actor).where(EventRow.act == "figure.look")).all()
    assert looked == [people.researcher.person_id]  # the first look is kept, and no other
    with pytest.raises(Refused, match="not be blind"):
        take(people.researcher, a_figure)
    assert lists.own_lists(people.researcher).free == ()
    assert take(people.owner, a_figure)  # who has not looked may


def test_looks_of_people_who_never_draw_and_looks_at_ones_own_work_are_not_kept(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    work = take(people.annotator, a_figure)
    hand_in(people.annotator, work)
    reading.transcription(people.reviewer, work)
    reading.transcription(people.annotator, work)
    with study.store.reading() as session:
        assert session.exec(select(EventRow.id).where(EventRow.act == "figure.look")).all() == []
