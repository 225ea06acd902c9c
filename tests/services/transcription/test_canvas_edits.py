"""Drawing on the figure, and the law of every act: graph and marks fold from the history, undo and redo included."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from core.act_ids import id_within
from core.errors import BadInput, Conflict, EdgewiseError, InvalidGraph, InvalidName
from core.graphs.record import GraphRecord, NodeRecord
from core.papers.pages import Box
from core.people import Receipt, Viewer
from core.sign import Sign
from core.transcription.marks import Marks
from core.transcription.proposals import FigureProposals
from services.study import Study
from services.transcription import canvas_edits, editing, proposals, reading, sweeping, transcribing
from store import history
from store.graphs import graphs
from store.graphs import marks as stored_marks
from store.tables import new_id
from tests.everything import EVERYTHING
from tests.services.acts import VersionedAct
from tests.services.transcription.test_proposals import arrow, label, lay_down

BOX = Box(80, 80, 140, 90)


@pytest.fixture
def work(people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    return transcribing.take(people.annotator, a_figure.id, act_id=new_id()).subject_id


def record(people: SimpleNamespace, work: str) -> GraphRecord:
    return reading.transcription(people.annotator, work).record


def node(people: SimpleNamespace, work: str, name: str) -> NodeRecord:
    found = record(people, work).node_named(name)
    assert found is not None
    return found


@pytest.mark.both
def test_joined_texts_are_one_node_for_proposals_and_doubts_and_one_undo_parts_them(
    open_one: Study, people: SimpleNamespace, a_figure: SimpleNamespace, do: Callable[..., Receipt], work: str
) -> None:
    names = [label("Work", 80, 80), label("load", 150, 80), label("Price", 300, 80)]
    lay_down(open_one, a_figure, FigureProposals(names=tuple(names), edges=(arrow(1, 2),), origin="raster"))
    me = people.annotator
    (before,) = proposals.open_proposals(me, work).edges
    words = [(name.text, name.box) for name in names[:2]]
    do(canvas_edits.join_names, "Workload", [], words)
    assert node(people, work, "Workload").box == (80, 80, 210, 90)
    (offered,) = proposals.open_proposals(me, work).edges
    assert (offered.id, offered.source, offered.sink) == (before.id, "Workload", "Price")
    found = reading.transcription(me, work, proposals.open_proposals(me, work).reading)
    assert found.unused == ("Price",)
    do(proposals.accept, [offered.id])
    assert edges(people, work) == [("Workload", "Price", Sign.PLUS, False, "proposal")]
    do(transcribing.rename_node, "Workload", "Work load")  # put right, it keeps its box and its texts
    assert node(people, work, "Work load").box == (80, 80, 210, 90)
    assert sweeping.coverage(me, work).unused == ()
    for _ in range(3):
        do(transcribing.undo)
    assert record(people, work).nodes == {}
    assert proposals.open_proposals(me, work).edges == (before,)
    with pytest.raises(BadInput, match="no longer shows the text"):
        do(canvas_edits.join_names, "Workload", [], [("Work", names[1].box), words[1]])


def edges(people: SimpleNamespace, work: str) -> list[tuple[str, str, Sign | None, bool, str]]:
    now = record(people, work)
    return [
        (now.nodes[e.source_id].name, now.nodes[e.sink_id].name, e.sign, e.delay, e.origin) for e in now.ordered_edges()
    ]


# --- names -------------------------------------------------------------------------------------------------------


def test_a_name_is_placed_where_it_is_printed_and_placed_again_elsewhere(
    study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    do(canvas_edits.place_node, "  Total\n grain ", (110.5, 85), BOX, "printed")
    first = node(people, work, "Total grain")
    assert (first.x, first.y, first.box, first.origin) == (110.5, 85.0, (80, 80, 140, 90), "printed")
    do(canvas_edits.place_node, "Total grain", (200, 100), None, "drawn")
    second = node(people, work, "Total grain")
    assert (second.id, second.x, second.y, second.box, second.origin) == (first.id, 200.0, 100.0, None, "printed")
    do(canvas_edits.move_node, "Total grain", (201, 101))
    assert node(people, work, "Total grain").x == 201.0
    for expected in (200.0, 110.5):
        do(transcribing.undo)
        assert node(people, work, "Total grain").x == expected


def test_a_typed_name_gets_a_place_and_keeps_its_origin(
    sqlite_study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    transcribing.add_lines(people.annotator, work, "Price -> Demand", pasted=False, seen=1, act_id=new_id())
    before = node(people, work, "Price")
    do(canvas_edits.place_node, "Price", (110, 85), BOX, "printed")
    after = node(people, work, "Price")
    assert (after.id, after.origin, after.x) == (before.id, "typed", 110.0)


def test_a_placed_name_stays_without_an_edge_and_one_that_came_with_its_edge_goes(
    study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    do(canvas_edits.place_node, "Price", (110, 85), BOX, "printed")
    do(canvas_edits.connect, "Price", "Demand", None, False)
    do(transcribing.remove_edge, next(iter(record(people, work).edges)))
    assert [each.name for each in record(people, work).nodes.values()] == ["Price"]


def test_placing_or_moving_to_the_same_place_is_an_act_without_a_change(
    sqlite_study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    assert do(canvas_edits.place_node, "Price", (110, 85), BOX, "printed").version == 2
    assert do(canvas_edits.place_node, "Price", (110, 85), BOX, "printed").version == 2
    assert do(canvas_edits.move_node, "Price", (110, 85)).version == 3  # away from its print
    assert do(canvas_edits.move_node, "Price", (110, 85)).version == 3


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("", (1, 2), None, "drawn"), InvalidName),
        (("A\u202eB", (1, 2), None, "drawn"), InvalidName),
        (("A", (math.nan, 2), None, "drawn"), BadInput),
        (("A", (1, math.inf), None, "drawn"), BadInput),
        (("A", (1, 2), Box(5, 5, 1, 9), "printed"), BadInput),
        (("A", (1, 2), Box(1, 1, math.inf, 9), "printed"), BadInput),
        (("A", (1, 2), None, "typed"), BadInput),
    ],
)
def test_a_name_or_place_that_is_none_is_refused(
    sqlite_study: Study,
    people: SimpleNamespace,
    work: str,
    do: Callable[..., Receipt],
    arguments: tuple[object, ...],
    error: type[Exception],
) -> None:
    with pytest.raises(error):
        do(canvas_edits.place_node, *arguments)
    assert record(people, work) == GraphRecord()


def test_a_node_that_is_gone_is_said_to_be_gone(
    sqlite_study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    for act in (
        (canvas_edits.move_node, "Z", (1, 2)),
        (transcribing.remove_node, "Z"),
        (transcribing.rename_node, "Z", "Y"),
    ):
        with pytest.raises(InvalidGraph, match="“Z” is no longer"):
            do(*act)
    now = reading.transcription(people.annotator, work)
    assert (now.record, now.version) == (GraphRecord(), 1)


def test_a_node_is_renamed_and_removed_with_its_edges(
    study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    do(canvas_edits.connect, "Price", "Demand", Sign.MINUS, False)
    do(canvas_edits.connect, "Demand", "Price", Sign.PLUS, True)
    do(transcribing.rename_node, "Price", "Cost")
    assert edges(people, work) == [
        ("Cost", "Demand", Sign.MINUS, False, "drawn"),
        ("Demand", "Cost", Sign.PLUS, True, "drawn"),
    ]
    do(transcribing.remove_node, "Cost")
    assert record(people, work) == GraphRecord()
    do(transcribing.undo)
    assert len(edges(people, work)) == 2


# --- edges -------------------------------------------------------------------------------------------------------


@pytest.mark.both
def test_an_edge_brings_its_nodes_and_is_listed_once_with_each_sign(
    study: Study, people: SimpleNamespace, work: str, do: Callable[..., Receipt]
) -> None:
    assert do(canvas_edits.connect, "Price", "Demand", None, False).version == 2
    assert do(canvas_edits.connect, "Price", "Demand", None, False).version == 2
    assert do(canvas_edits.connect, "Price", "Demand", Sign.PLUS, True).version == 3
    assert edges(people, work) == [
        ("Price", "Demand", None, False, "drawn"),
        ("Price", "Demand", Sign.PLUS, True, "drawn"),
    ]


def test_more_edges_than_may_be_are_refused_by_every_way_to_draw(
    sqlite_study: Study,
    people: SimpleNamespace,
    a_figure: SimpleNamespace,
    work: str,
    do: Callable[..., Receipt],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lay_down(sqlite_study, a_figure)
    monkeypatch.setattr(editing, "MOST_EDGES", 2)
    do(canvas_edits.connect, "A", "B", None, False)
    do(canvas_edits.connect, "B", "C", None, False)
    ids = [edge.id for edge in proposals.open_proposals(people.annotator, work).edges]
    for act in ((canvas_edits.connect, "C", "D", None, False), (proposals.accept, ids)):
        with pytest.raises(BadInput, match="may have at most 2"):
            do(*act)
    do(transcribing.rename_node, "C", "D")  # what adds no edge goes on
    assert len(edges(people, work)) == 2


@pytest.mark.both
def test_a_stale_canvas_is_told_so_and_nothing_is_written(study: Study, people: SimpleNamespace, work: str) -> None:
    canvas_edits.connect(people.annotator, work, "A", "B", None, False, seen=1, act_id=new_id())
    before = reading.transcription(people.annotator, work)
    me, stale = people.annotator, VersionedAct(seen=1, act_id=new_id())
    attempts: list[Callable[[], object]] = [
        lambda: canvas_edits.place_node(me, work, "C", (1, 2), None, "drawn", **stale),
        lambda: canvas_edits.move_node(me, work, "A", (1, 2), **stale),
        lambda: canvas_edits.connect(me, work, "B", "C", None, False, **stale),
        lambda: transcribing.remove_node(me, work, "A", **stale),
        lambda: transcribing.rename_node(me, work, "A", "C", **stale),
    ]
    for attempt in attempts:
        with pytest.raises(Conflict):
            attempt()
    assert reading.transcription(people.annotator, work) == before


@pytest.mark.both
def test_an_act_repeated_is_done_once(study: Study, people: SimpleNamespace, work: str) -> None:
    act_id = new_id()
    first, again = (
        canvas_edits.connect(people.annotator, work, "A", "B", None, False, seen=1, act_id=act_id) for _ in range(2)
    )
    assert (again.seq, again.version, again.is_repeat) == (first.seq, 2, True)
    assert len(edges(people, work)) == 1


# --- the law -----------------------------------------------------------------------------------------------------

NEAR = ("GDP", "GNP", "Tree", "Trees", "tree")
NAMES = (label("GDP", 80, 80), label("GNP", 300, 80), label("Trees", 80, 200), label("tree", 300, 200))
PROPOSED = FigureProposals(
    names=NAMES, edges=(arrow(0, 2), arrow(1, 2, "-"), arrow(2, 0, ""), arrow(3, 1), arrow(0, 3)), origin="vector"
)

names = st.sampled_from(NEAR)
signs = st.sampled_from([None, Sign.PLUS, Sign.MINUS])
pick = st.integers(0, 9)
STEPS = st.one_of(
    st.tuples(st.just("place"), names, st.integers(72, 500)),
    st.tuples(st.just("connect"), names, names, signs, st.booleans()),
    st.tuples(st.just("lines"), names, names),
    st.tuples(st.just("rename"), names, names),
    st.tuples(st.just("delete node"), names),
    st.tuples(st.just("remove edge"), pick),
    st.tuples(st.just("move end"), pick, names),
    st.tuples(st.just("accept"), st.lists(pick, min_size=1, max_size=3)),
    st.tuples(st.just("refuse"), pick),
    st.tuples(st.just("attest"), names, st.booleans()),
    st.tuples(st.just("dismiss"), names, st.booleans()),
    st.tuples(st.just("decide"), names, names, st.sampled_from(["distinct", "same", ""])),
    st.tuples(st.just("as printed"), names, st.booleans()),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
)


def act_of(step: tuple[Any, ...], ids: list[str], edge_ids: list[str]) -> tuple[Any, ...] | None:
    """The service call of a step; None if it is about an edge and there is none."""
    kind, *given_ = step
    edge = edge_ids[given_[0] % len(edge_ids)] if edge_ids and kind in ("remove edge", "move end") else None
    calls: dict[str, Callable[[], tuple[Any, ...]]] = {
        "place": lambda: (canvas_edits.place_node, given_[0], (given_[1], 100), None, "drawn"),
        "connect": lambda: (canvas_edits.connect, *given_),
        "lines": lambda: (_add_lines, f"{given_[0]} -> {given_[1]}"),
        "rename": lambda: (transcribing.rename_node, *given_),
        "delete node": lambda: (transcribing.remove_node, *given_),
        "remove edge": lambda: (transcribing.remove_edge, edge),
        "move end": lambda: (transcribing.edit_edge, edge, "sink", given_[1]),
        "accept": lambda: (proposals.accept, [ids[n % len(ids)] for n in given_[0]]),
        "refuse": lambda: (proposals.refuse, [ids[given_[0] % len(ids)]]),
        "attest": lambda: (sweeping.attest, *given_),
        "dismiss": lambda: (sweeping.not_a_variable, *given_),
        "decide": lambda: (sweeping.decide_names, *given_),
        "as printed": lambda: (sweeping.as_printed, "self-loop", [given_[0]], given_[1]),
        "undo": lambda: (transcribing.undo,),
        "redo": lambda: (transcribing.redo,),
    }
    return None if kind in ("remove edge", "move end") and edge is None else calls[kind]()


def _add_lines(viewer: Viewer, work: str, text: str, *, seen: int, act_id: str) -> Receipt:
    receipt = transcribing.add_lines(viewer, work, text, pasted=False, seen=seen, act_id=act_id).receipt
    assert receipt is not None
    return receipt


def check_law(study: Study, viewer: Viewer, figure: SimpleNamespace, steps: list[tuple[Any, ...]]) -> int:
    """Do the steps that are possible; after each, history and store say the same, and what is new has the act's ids.
    Undo all there ever was, redo all. How many did."""
    work = transcribing.take(viewer, figure.id, act_id=new_id()).subject_id
    ids = [edge.id for edge in proposals.open_proposals(viewer, work).edges]
    opened = reading.transcription(viewer, work)
    version, graph_id = opened.version, opened.graph_id
    seen: list[tuple[GraphRecord, Marks]] = []

    def stand() -> tuple[GraphRecord, Marks]:
        with study.store.reading() as session:
            found = graphs.read_graph(session, graph_id), stored_marks.read_marks(session, graph_id)
            assert (history.rebuild(session, graph_id), stored_marks.rebuild_marks(session, graph_id)) == found
            assert graphs.graph_row(session, graph_id).version == version
            return found

    def attempt(call: tuple[Any, ...]) -> bool:
        nonlocal version
        act_id = new_id()
        try:
            receipt = call[0](viewer, work, *call[1:], seen=version, act_id=act_id)
        except EdgewiseError:
            return False  # refused, and so nothing changed
        with study.store.reading() as session:
            event = history.event_at(session, receipt.seq)
            new = [change.element.id for change in history.changes_of(event) if change.before is None]
        assert event.act != "graph.edit" or {id_within(each, 0) for each in new} <= {id_within(act_id, 0)}
        grew = receipt.version > version
        version = receipt.version
        return bool(grew)

    before = stand()
    for step in steps:
        call = act_of(step, ids, list(before[0].edges))
        if call is None:
            continue
        grew = attempt(call)
        now = stand()
        assert grew or now == before
        before = now
    top, undone = before, 0
    while attempt((transcribing.undo,)):
        undone += 1
        seen.append(stand())
    assert (seen[-1] if seen else top) == (GraphRecord(), Marks())
    for _ in range(undone):
        assert attempt((transcribing.redo,))
    after = stand()
    assert after == top
    assert list(after[0].edges) == list(top[0].edges)
    return undone


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200 if EVERYTHING else 5)
@given(steps=st.lists(STEPS, min_size=4, max_size=14))
def test_graph_and_marks_fold_from_the_history_after_any_acts_with_undo_and_redo(
    sqlite_study: Study,
    people: SimpleNamespace,
    another_figure: Callable[[str], SimpleNamespace],
    steps: list[tuple[Any, ...]],
) -> None:
    figure = another_figure(new_id())
    lay_down(sqlite_study, figure, PROPOSED)
    assume(check_law(sqlite_study, people.annotator, figure, steps))


@pytest.mark.both(usually=False)
def test_a_long_day_with_every_kind_of_act_folds_on_both_databases(
    study: Study, people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]
) -> None:
    figure = another_figure("A long day")
    lay_down(study, figure, PROPOSED)
    steps = [
        ("accept", [0, 1, 2]),
        ("attest", "GDP", True),
        ("attest", "Trees", True),
        ("place", "Tree", 90),
        ("connect", "Tree", "GDP", None, True),
        ("decide", "GDP", "GNP", "distinct"),
        ("undo",),
        ("redo",),
        ("decide", "Tree", "Trees", "same"),
        ("move end", 0, "tree"),
        ("remove edge", 1),
        ("refuse", 4),
        ("undo",),
        ("undo",),
        ("dismiss", "GNP", True),
        ("rename", "GDP", "GNP"),
        ("as printed", "GNP", True),
        ("lines", "GDP", "Trees"),
        ("delete node", "GNP"),
        ("undo",),
        ("redo",),
        ("accept", [3, 4]),
    ]
    assert check_law(study, people.annotator, figure, steps) > 10
