"""Edges drawn by hand lie on the printed arrows they mean, and arrows without an edge are listed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.errors import BadInput
from core.people import Receipt, Viewer
from core.sign import Sign
from core.transcription.arrow_matching import arrow_id
from core.transcription.proposals import FigureProposals, PrintedArrow
from core.transcription.snapping import PrintedMarks
from services.study import Study
from services.transcription import canvas_edits, figure_proposals, proposals, reading, sweeping, transcribing
from services.transcription.reading import Transcription
from store.graphs import graphs
from store.graphs.marks import rebuild_marks
from store.history import rebuild
from store.tables import new_id
from tests.services.transcription.test_proposals import label, lay_down

NAMES = (label("Price", 80, 80), label("Demand", 300, 80), label("Supply", 80, 200))
RIGHT = PrintedArrow(path=((112.0, 80.0), (200.0, 60.0), (268.0, 80.0)), sign="-", tails=((0, 0.2),), tips=((1, 0.2),))
DOWN = PrintedArrow(path=((80.0, 90.0), (80.0, 190.0)), sign="+", delay=True, tails=((0, 0.3),), tips=((2, 0.3),))
FOUND = FigureProposals(names=NAMES, edges=(), origin="vector", notice="", arrows=(RIGHT, DOWN))


@pytest.fixture
def work(open_one: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    lay_down(open_one, a_figure, FOUND)
    return transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id


def opened(viewer: Viewer, work: str) -> Transcription:
    return reading.transcription(viewer, work, proposals.open_proposals(viewer, work).reading)


def courses(viewer: Viewer, work: str) -> list[tuple[tuple[float, float], ...]]:
    now = opened(viewer, work)
    return [now.paths[edge.id] for edge in now.record.ordered_edges() if edge.id in now.paths]


@pytest.mark.both(usually=False)
def test_an_edge_drawn_by_hand_takes_its_arrows_course_in_the_same_act(
    study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    me = people.annotator
    opened(me, work)  # the figure is read
    do(canvas_edits.connect, "Price", "Demand", None, False)
    assert courses(me, work) == [RIGHT.path]
    do(transcribing.undo)
    assert courses(me, work) == []
    do(transcribing.redo)
    do(transcribing.add_lines, "Price -> Supply", pasted=False)
    assert courses(me, work) == [RIGHT.path, DOWN.path]

    edge = opened(me, work).record.ordered_edges()[0]
    do(transcribing.reverse_edge, edge.id)
    assert courses(me, work)[0] == RIGHT.path[::-1]
    do(transcribing.undo)
    do(transcribing.edit_edge, edge.id, "sink", "Nowhere")
    assert courses(me, work) == [DOWN.path]
    do(transcribing.edit_edge, edge.id, "sink", "Demand")
    assert courses(me, work) == [RIGHT.path, DOWN.path]

    now = opened(me, work)
    with study.store.reading() as session:
        assert rebuild_marks(session, now.graph_id) == now.marks
        assert rebuild(session, now.graph_id) == graphs.read_graph(session, now.graph_id) == now.record


def test_a_course_stays_when_the_figure_is_read_another_time_and_waits_for_no_reading(
    sqlite_study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    work: str,
    do: Callable[..., Receipt],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    me = people.annotator
    do(canvas_edits.connect, "Price", "Demand", None, False)
    moved = replace(RIGHT, path=((112.0, 90.0), (268.0, 90.0)))
    monkeypatch.setattr(figure_proposals, "PROPOSALS_VERSION", 1_000)
    monkeypatch.setattr(figure_proposals, "_memory", figure_proposals._Memory())
    do(canvas_edits.connect, "Price", "Supply", None, False)  # nothing is read at this version yet
    assert courses_kept(me, work) == [RIGHT.path]
    monkeypatch.setattr(figure_proposals, "read_proposals", lambda _place: replace(FOUND, arrows=(moved,)))
    assert courses_kept(me, work) == [RIGHT.path]


def courses_kept(viewer: Viewer, work: str) -> list[tuple[tuple[float, float], ...]]:
    return list(reading.transcription(viewer, work).paths.values())


def test_sign_and_delay_are_offered_and_set_by_nobody_but_the_person(
    sqlite_study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    me = people.annotator
    opened(me, work)
    do(canvas_edits.connect, "Price", "Supply", None, False)
    (edge,) = opened(me, work).record.ordered_edges()
    assert (edge.sign, edge.delay) == (None, False)
    assert opened(me, work).offers == {edge.id: PrintedMarks(Sign.PLUS, True)}
    do(transcribing.edit_edge, edge.id, "sign", "+")
    assert opened(me, work).offers == {edge.id: PrintedMarks(None, True)}
    do(transcribing.edit_edge, edge.id, "delay", True)
    assert opened(me, work).offers == {}


def test_whoever_is_shown_no_proposals_is_shown_the_print_and_no_more(
    sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace, work: str
) -> None:
    second = people.colleague
    other = transcribing.take(second, a_figure.id, act_id=new_id()).subject_id
    assert proposals.open_proposals(second, other).withheld
    version = opened(second, other).version
    canvas_edits.connect(second, other, "Price", "Supply", None, False, seen=version, act_id=new_id())
    now = opened(second, other)
    assert list(now.paths.values()) == [DOWN.path]
    assert now.offers == {}
    assert [one.path for one in now.bare] == [RIGHT.path]


def test_arrows_without_an_edge_are_listed_until_they_are_drawn_or_dismissed(
    sqlite_study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    me = people.annotator
    assert opened(me, work).bare == ()  # nothing is drawn, so nothing was forgotten
    do(canvas_edits.connect, "Price", "Demand", None, False)
    (bare,) = opened(me, work).bare
    assert bare.path == DOWN.path
    assert not sweeping.coverage(me, work).is_complete
    do(sweeping.not_an_edge, bare.id, True)
    assert opened(me, work).bare == ()
    assert [one.is_dismissed for one in sweeping.coverage(me, work).bare] == [True]
    do(transcribing.undo)
    assert opened(me, work).bare == (bare,)
    do(canvas_edits.connect, "Price", "Supply", None, False)
    assert opened(me, work).bare == ()
    with pytest.raises(BadInput, match="no longer shows this arrow"):
        do(sweeping.not_an_edge, "another", True)


def test_an_edge_drawn_at_a_lit_arrow_is_on_it_whatever_its_names_are_called(
    sqlite_study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    me = people.annotator
    opened(me, work)
    do(canvas_edits.connect, "Costs", "Taxes", None, False, lit=arrow_id(DOWN))
    assert courses(me, work) == [DOWN.path]


def test_readings_kept_before_arrows_were_stay_readable() -> None:
    kept = FOUND.as_json()
    assert FigureProposals.from_json(kept) == FOUND
    del kept["arrows"]
    assert FigureProposals.from_json(kept) == replace(FOUND, arrows=())
