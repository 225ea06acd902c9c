"""What the report of proposals counts, by hand arithmetic on a few tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.errors import Refused
from core.people import Role, Viewer
from core.sign import Sign
from services.study import Study
from services.transcription import canvas_edits, proposal_report, proposals, reading, transcribing
from services.transcription.proposal_report import KindRow, OriginRow
from tests.services.transcription.test_proposals import FOUND, accept, at, lay_down, offer, refuse, save, take


def hand_in(viewer: Viewer, work: str) -> None:
    transcribing.submit(viewer, work, **at(viewer, work))


def connect(viewer: Viewer, work: str, source: str, sink: str) -> None:
    canvas_edits.connect(viewer, work, source, sink, None, False, **at(viewer, work))


def test_an_empty_study_has_no_numbers(sqlite_study: Study, people: SimpleNamespace) -> None:
    found = proposal_report.report(people.owner)
    assert found.origins == (OriginRow(origin="vector"), OriginRow(origin="raster"), OriginRow(origin="ocr"))
    assert [group.edges_per_task.value for group in found.groups] == [None] * 5


@pytest.mark.both(usually=False)
def test_every_answer_is_counted_once_and_drafts_are_not(
    study: Study, people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]
) -> None:
    me, first, second = people.annotator, another_figure("One"), another_figure("Two")
    lay_down(study, first)
    lay_down(study, second)
    work = take(me, first)
    refuse(me, work, offer(me, work, "Supply", "Price"))
    accept(me, work, offer(me, work, "Price", "Demand"))
    connect(me, work, "Demand", "Supply")  # proposed too, and left unanswered
    connect(me, work, "Price", "Costs")
    transcribing.remove_edge(
        me,
        work,
        reading.transcription(me, work).record.ordered_edges()[-1].id,
        **at(me, work),
    )
    other = take(me, second)
    accept(me, other, *proposals.open_proposals(me, other).edges[:2])
    record = reading.transcription(me, other).record
    transcribing.remove_edge(me, other, record.ordered_edges()[0].id, **at(me, other))
    assert proposal_report.report(people.reviewer).origins[0].proposed == 0  # nothing is submitted
    hand_in(me, work)
    hand_in(me, other)
    found = proposal_report.report(people.reviewer)
    # Task one: 1 accepted, 1 refused, 1 drawn anyway. Task two: 1 accepted, 1 accepted and removed, 1 unanswered.
    assert found.origins == (
        OriginRow(origin="vector", proposed=6, accepted=2, refused=1, unanswered=1, drawn_anyway=1, removed_later=1),
        OriginRow(origin="raster"),
        OriginRow(origin="ocr"),
        OriginRow(origin="drawn", added_by_hand=1, removed_later=1),
    )
    assert found.kinds == (
        KindRow(
            kind=None, origin="vector", tasks=2, declined=0, proposed=6, accepted=2, corrected=0, refused=1, missed=0
        ),
    )
    shown = found.groups[0]
    # Edges that stand: Price -> Demand and Demand -> Supply in task one; one accepted arrow in task two.
    assert (shown.decision, shown.tasks, shown.figures, shown.edges, shown.added_by_hand) == ("shown", 2, 2, 3, 1)
    assert shown.edges_per_task.value == 1.5


def test_tasks_with_and_without_proposals_stand_side_by_side(
    study: Study, people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]
) -> None:
    me, early, late = people.annotator, another_figure("Early"), another_figure("Late")
    for figure in (early, late):
        lay_down(study, figure)
    with_arrows = take(me, early)
    accept(me, with_arrows, *proposals.open_proposals(me, with_arrows).edges)
    save(people.owner, share_without=1.0)
    without, second = take(me, late), take(people.colleague, early)
    connect(me, without, "Price", "Demand")
    connect(people.colleague, second, "Price", "Demand")
    for viewer, work in ((me, with_arrows), (me, without), (people.colleague, second)):
        hand_in(viewer, work)
    groups = {group.decision: group for group in proposal_report.report(people.owner).groups}
    assert (groups["shown"].edges, groups["shown"].added_by_hand) == (3, 0)
    assert (groups["left out"].edges, groups["left out"].added_by_hand) == (1, 1)
    assert groups["second"].tasks == 1
    assert groups["off"].edges_per_task.reason == "no such transcription is submitted"
    vector = proposal_report.report(people.owner).origins[0]
    assert (vector.proposed, vector.accepted) == (3, 3)  # what was withheld was not proposed


def test_annotators_and_experts_see_no_report(sqlite_study: Study, people: SimpleNamespace) -> None:
    for role in (Role.ANNOTATOR, Role.EXPERT):
        with pytest.raises(Refused):
            proposal_report.report(getattr(people, role.value))


def test_a_mended_proposal_counts_apart_from_one_accepted_as_it_was(
    study: Study, people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]
) -> None:
    me, figure = people.annotator, another_figure("One")
    lay_down(study, figure)
    work = take(me, figure)
    wrong, turned = offer(me, work, "Price", "Demand"), offer(me, work, "Supply", "Price")
    proposals.accept_as(me, work, wrong.id, "Price", "Costs", **at(me, work))
    accept(me, work, turned)
    edge = next(each for each in reading.transcription(me, work).record.edges.values() if each.sign is Sign.MINUS)
    accept(me, work, offer(me, work, "Demand", "Supply"))
    transcribing.reverse_edge(me, work, edge.id, **at(me, work))
    hand_in(me, work)
    assert proposal_report.report(people.reviewer).origins[0] == OriginRow(
        origin="vector", proposed=3, accepted=1, corrected=2
    )


def test_figures_are_counted_by_kind_and_by_who_read_them_declined_ones_too(
    study: Study, people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]
) -> None:
    me, boxes, declined = people.annotator, another_figure("One"), another_figure("Two")
    both = replace(FOUND.edges[0], origins=("vector", "raster"))
    lay_down(study, boxes, replace(FOUND, edges=(both, *FOUND.edges[1:]), kind="boxes"))
    lay_down(study, declined, replace(FOUND, edges=(), kind="dots with labels"))
    work, other = take(me, boxes), take(me, declined)
    accept(me, work, offer(me, work, "Supply", "Price"))
    refuse(me, work, offer(me, work, "Price", "Demand"))
    connect(me, work, "Demand", "Supply")  # proposed, so not missed
    connect(me, work, "Price", "Costs")
    connect(me, other, "Price", "Demand")
    hand_in(me, work)
    hand_in(me, other)
    found = proposal_report.report(people.reviewer)
    none = dict.fromkeys(("proposed", "accepted", "corrected", "refused"), 0)
    assert found.kinds == (
        KindRow(
            **{**none, "proposed": 3, "accepted": 1, "refused": 1},
            kind="boxes",
            origin="vector+raster",
            tasks=1,
            declined=0,
            missed=1,
        ),
        KindRow(**none, kind="dots with labels", origin="vector", tasks=1, declined=1, missed=1),
    )
    assert OriginRow(origin="vector+raster", proposed=1, accepted=1) in found.origins
    assert found.origins[0] == OriginRow(origin="vector", proposed=2, refused=1, drawn_anyway=1)
