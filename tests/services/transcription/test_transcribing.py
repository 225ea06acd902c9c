"""Transcribing a figure: every act kept once, nobody's work lost or overwritten, handing in locks."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from time import sleep
from types import SimpleNamespace

import pytest
from sqlalchemy import func
from sqlmodel import col, select

from core.errors import BadInput, Conflict, EdgewiseError, InvalidGraph, Refused
from core.people import Receipt, Role, Viewer
from services.acting import terminal_viewer
from services.papers import figures
from services.study import Study
from services.transcription import editing, lists, queue, reading, transcribing
from services.transcription.reading import Transcription
from services.transcription.transcribing import LinesOutcome
from store import history
from store.graphs import graphs
from store.tables import AssignmentRow, EventRow, GraphRow, new_id
from tests.everything import EVERYTHING
from tests.services.acts import VersionedAct

pytestmark = pytest.mark.both


def take(viewer: Viewer, figure: SimpleNamespace) -> str:
    return transcribing.take(viewer, figure.id, act_id=new_id()).subject_id


def seen(viewer: Viewer, work: str) -> Transcription:
    return reading.transcription(viewer, work)


def add(viewer: Viewer, work: str, text: str, *, at: int | None = None, act_id: str | None = None) -> LinesOutcome:
    version = seen(viewer, work).version if at is None else at
    return transcribing.add_lines(viewer, work, text, pasted=False, seen=version, act_id=act_id or new_id())


def edges(viewer: Viewer, work: str) -> list[str]:
    graph = seen(viewer, work).record.graph()
    return [f"{e.source} -> {e.sink}" + (f" ({e.sign})" if e.sign else "") for e in graph.edges]


def undo(viewer: Viewer, work: str) -> Receipt:
    return transcribing.undo(viewer, work, seen=seen(viewer, work).version, act_id=new_id())


def redo(viewer: Viewer, work: str) -> Receipt:
    return transcribing.redo(viewer, work, seen=seen(viewer, work).version, act_id=new_id())


def submit(viewer: Viewer, work: str) -> Receipt:
    return transcribing.submit(viewer, work, seen=seen(viewer, work).version, act_id=new_id())


def events(study: Study, act: str = "") -> int:
    query = select(func.count()).select_from(EventRow)
    with study.store.reading() as session:
        return int(session.exec(query.where(EventRow.act == act) if act else query).one())


@pytest.fixture
def work(people: SimpleNamespace, a_figure: SimpleNamespace) -> str:
    """The annotator's own transcription of the figure, empty."""
    return take(people.annotator, a_figure)


# --- many at once ------------------------------------------------------------------------------------------------

EDITS = 20 if EVERYTHING else 3  # of each of twenty; the soak draws two hundred each
AT_ONCE = 20 if EVERYTHING else 8  # people, or tabs of one


def test_people_drawing_at_once_lose_nothing(
    study: Study, a_figure: SimpleNamespace, newcomer: Callable[..., Viewer]
) -> None:
    annotators = [newcomer(f"Person {number}", Role.ANNOTATOR) for number in range(AT_ONCE)]
    queue.want(terminal_viewer(), [a_figure.id], AT_ONCE, act_id=new_id())
    works = [take(viewer, a_figure) for viewer in annotators]

    def draw(number: int) -> None:
        version = 1
        for step in range(EDITS):
            outcome = add(annotators[number], works[number], f"A{step} -> B{step}", at=version)
            assert outcome.receipt is not None
            version = outcome.receipt.version

    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(draw, range(AT_ONCE)))
    assert events(study, "graph.edit") == AT_ONCE * EDITS
    with study.store.reading() as session:
        for row in session.exec(select(AssignmentRow)).all():
            assert row.graph_id is not None
            state = graphs.read_graph(session, row.graph_id)
            assert len(state.edges) == EDITS
            assert history.rebuild(session, row.graph_id) == state
            assert graphs.graph_row(session, row.graph_id).version == EDITS + 1


@pytest.mark.both(usually=False)
def test_tabs_of_one_person_each_retrying_after_a_conflict_lose_nothing(
    study: Study, people: SimpleNamespace, work: str
) -> None:
    conflicts: list[Conflict] = []

    def draw(tab: int) -> None:
        version, patience = 1, Random(tab)
        for step in range(EDITS):
            act_id = new_id()
            while True:
                try:
                    outcome = add(people.annotator, work, f"T{tab} -> S{step}", at=version, act_id=act_id)
                except Conflict as conflict:
                    assert conflict.seen == version < conflict.found
                    conflicts.append(conflict)
                    version = conflict.found
                    sleep(patience.uniform(0, 0.1))  # what a browser needs to read the graph again
                    continue
                assert outcome.receipt is not None
                assert not outcome.receipt.is_repeat
                version = outcome.receipt.version
                break

    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(draw, range(AT_ONCE)))
    assert conflicts, "tabs of one graph meet"
    assert events(study, "graph.edit") == AT_ONCE * EDITS
    final = seen(people.annotator, work)
    assert len(final.record.edges) == AT_ONCE * EDITS
    assert final.version == AT_ONCE * EDITS + 1
    with study.store.reading() as session:
        assert history.rebuild(session, final.graph_id) == final.record


def test_one_act_sent_by_eight_threads_at_once_happens_once(study: Study, people: SimpleNamespace, work: str) -> None:
    act_id, together = new_id(), Barrier(8)

    def send(_thread: int) -> Receipt:
        together.wait()
        outcome = add(people.annotator, work, "A -> B\nB -> C", at=1, act_id=act_id)
        assert outcome.receipt is not None
        return outcome.receipt

    with ThreadPoolExecutor(8) as threads:
        receipts = list(threads.map(send, range(8)))
    assert len({receipt.seq for receipt in receipts}) == 1
    assert sum(not receipt.is_repeat for receipt in receipts) == 1
    assert edges(people.annotator, work) == ["A -> B", "B -> C"]
    assert seen(people.annotator, work).version == 2


@pytest.mark.both(usually=False)
def test_handing_in_sent_by_eight_threads_at_once_happens_once(
    study: Study, people: SimpleNamespace, work: str
) -> None:
    add(people.annotator, work, "A -> B")
    act_id, together = new_id(), Barrier(8)

    def send(_thread: int) -> Receipt:
        together.wait()
        return transcribing.submit(people.annotator, work, seen=2, act_id=act_id)

    with ThreadPoolExecutor(8) as threads:
        receipts = list(threads.map(send, range(8)))
    assert len({receipt.seq for receipt in receipts}) == 1
    assert events(study, "transcription.submit") == 1


def test_one_figure_taken_in_eight_tabs_at_once_is_one_transcription(
    study: Study, people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    together = Barrier(8)

    def send(_thread: int) -> str:
        together.wait()
        return take(people.annotator, a_figure)

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(send, range(8)))) == 1
    with study.store.reading() as session:
        assert len(session.exec(select(AssignmentRow)).all()) == 1
        assert len(session.exec(select(GraphRow)).all()) == 1


def test_an_edit_that_meets_handing_in_is_before_it_or_refused(
    study: Study, people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]
) -> None:
    for number in range(10 if EVERYTHING else 3):
        work = take(people.annotator, another_figure(f"Paper {number}"))
        add(people.annotator, work, "A -> B")
        together = Barrier(2)

        def hand_in(work: str = work, together: Barrier = together) -> bool:
            together.wait()
            try:
                transcribing.submit(people.annotator, work, seen=2, act_id=new_id())
            except Conflict:
                return False
            return True

        def draw(work: str = work, together: Barrier = together) -> bool:
            together.wait()
            try:
                add(people.annotator, work, "B -> C", at=2)
            except Refused:
                return False
            return True

        with ThreadPoolExecutor(2) as threads:
            handed_in, drawn = threads.submit(hand_in), threads.submit(draw)
            assert handed_in.result() != drawn.result()  # exactly one of them came first
        found = seen(people.annotator, work)
        assert found.state == ("submitted" if handed_in.result() else "open")
        assert len(found.record.edges) == (1 if handed_in.result() else 2)


def test_faulty_lines_of_eight_tabs_at_once_are_all_kept(study: Study, people: SimpleNamespace, work: str) -> None:
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda tab: add(people.annotator, work, f"no arrow in tab {tab}", at=1), range(8)))
    kept = sorted(fault.text for fault in seen(people.annotator, work).faults)
    assert len(kept) == 8
    assert kept == [f"no arrow in tab {tab}" for tab in range(8)]


# --- one act, once -----------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_a_stale_tab_is_told_both_versions_and_nothing_is_written(
    study: Study, people: SimpleNamespace, work: str
) -> None:
    add(people.annotator, work, "A -> B", at=1)
    before = events(study), seen(people.annotator, work)
    edge_id = next(iter(before[1].record.edges))
    me, stale = people.annotator, VersionedAct(seen=1, act_id=new_id())
    attempts: list[Callable[[], object]] = [
        lambda: transcribing.add_lines(me, work, "X -> Y\nnot a line", pasted=True, **stale),
        lambda: transcribing.add_lines(me, work, "not a line", pasted=True, **stale),
        lambda: transcribing.edit_edge(me, work, edge_id, "sign", "+", **stale),
        lambda: transcribing.remove_edge(me, work, edge_id, **stale),
        lambda: transcribing.rename_node(me, work, "A", "Z", **stale),
        lambda: transcribing.remove_node(me, work, "A", **stale),
        lambda: transcribing.undo(me, work, **stale),
        lambda: transcribing.redo(me, work, **stale),
        lambda: transcribing.submit(me, work, **stale),
    ]
    for attempt in attempts:
        with pytest.raises(Conflict) as caught:
            attempt()
        assert (caught.value.seen, caught.value.found) == (1, 2)
    assert (events(study), seen(people.annotator, work)) == before


@pytest.mark.both(usually=False)
def test_an_act_repeated_later_does_nothing_and_says_so(study: Study, people: SimpleNamespace, work: str) -> None:
    act_id = new_id()
    first = add(people.annotator, work, "A -> B\nfaulty", at=1, act_id=act_id)
    add(people.annotator, work, "B -> C", at=2)
    transcribing.drop_fault(people.annotator, work, "faulty")
    again = add(people.annotator, work, "A -> B\nfaulty", at=1, act_id=act_id)
    assert first.receipt is not None
    assert again.receipt is not None
    assert (again.receipt.seq, again.receipt.version, again.receipt.is_repeat) == (first.receipt.seq, 2, True)
    assert edges(people.annotator, work) == ["A -> B", "B -> C"]
    assert seen(people.annotator, work).faults == ()


@pytest.mark.both(usually=False)
def test_an_act_id_of_someone_else_is_refused(
    study: Study, people: SimpleNamespace, work: str, a_figure: SimpleNamespace
) -> None:
    act_id = new_id()
    add(people.annotator, work, "A -> B", act_id=act_id)
    theirs = take(people.colleague, a_figure)
    with pytest.raises(Refused, match="someone else"):
        add(people.colleague, theirs, "A -> B", act_id=act_id)
    assert edges(people.colleague, theirs) == []


@pytest.mark.parametrize(
    "act_id", ["", "1", "x" * 36, "0198C0DE-0000-7000-8000-000000000001", "0198c0de00007000800000000000000001"]
)
def test_an_act_id_that_is_no_uuid_is_refused(
    people: SimpleNamespace, sqlite_study: Study, work: str, act_id: str
) -> None:
    with pytest.raises(BadInput, match="not a UUID"):
        transcribing.add_lines(people.annotator, work, "A -> B", pasted=False, seen=1, act_id=act_id)


def test_a_receipt_names_the_event_its_time_and_the_version_after(
    study: Study, people: SimpleNamespace, work: str
) -> None:
    receipt = add(people.annotator, work, "A -> B").receipt
    assert receipt is not None
    with study.store.reading() as session:
        event = session.get(EventRow, receipt.seq)
        assert event is not None
        assert (event.act, event.actor, event.at) == ("graph.edit", people.annotator.person_id, study.clock())
    assert (receipt.at, receipt.version, receipt.is_repeat) == (study.clock(), 2, False)
    assert receipt.subject_id == seen(people.annotator, work).graph_id


# --- lines, good and faulty --------------------------------------------------------------------------------------


def test_good_lines_become_edges_and_faulty_ones_wait_to_be_corrected(
    sqlite_study: Study, people: SimpleNamespace, work: str
) -> None:
    outcome = add(people.annotator, work, "A -> B (+)\nno arrow here\nB -> C (-)\nD ->")
    assert edges(people.annotator, work) == ["A -> B (+)", "B -> C (-)"]
    assert [fault.line for fault in outcome.faults] == [2, 4]
    assert [fault.text for fault in seen(people.annotator, work).faults] == ["no arrow here", "D ->"]
    transcribing.drop_fault(people.annotator, work, "no arrow here")
    assert [fault.text for fault in seen(people.annotator, work).faults] == ["D ->"]
    transcribing.drop_fault(people.annotator, work, "D ->")
    assert seen(people.annotator, work).faults == ()


def test_faulty_lines_alone_are_kept_without_an_act(sqlite_study: Study, people: SimpleNamespace, work: str) -> None:
    before = events(sqlite_study)
    outcome = add(people.annotator, work, "nothing to see")
    assert outcome.receipt is None
    assert [fault.text for fault in seen(people.annotator, work).faults] == ["nothing to see"]
    add(people.annotator, work, "nothing to see")
    assert len(seen(people.annotator, work).faults) == 1
    assert events(sqlite_study) == before


def test_a_paste_of_more_faulty_lines_than_anybody_corrects_is_refused_whole(
    people: SimpleNamespace, a_figure: SimpleNamespace
) -> None:
    """Forty thousand were kept, and every act of the transcription then took the server ten seconds."""
    work = take(people.annotator, a_figure)
    add(people.annotator, work, "\n".join(["A -> B", *(f"no arrow {number}" for number in range(300))]))
    more = "\n".join(["C -> D", *(f"none here {number}" for number in range(201))])
    said = r"^201 lines cannot be read, the first being line 2: .* at most 500 faulty lines; 300 are already listed\. N"
    with pytest.raises(BadInput, match=said):
        add(people.annotator, work, more)
    assert edges(people.annotator, work) == ["A -> B"]
    assert len(seen(people.annotator, work).faults) == 300
    add(people.annotator, work, "\n".join(f"none here {number}" for number in range(200)))
    assert len(seen(people.annotator, work).faults) == 500


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "A -> B\n" + "no arrow\n" * 501,
            "^More than 500 lines cannot be read, the first being line 2: .* Nothing was",
        ),
        ("\n".join(f"A -> B{number}" for number in range(2_001)), "more than 2,000 edges, the most that a transcr"),
        ("\n".join(f'"B{number}"' for number in range(4_001)), "more than 4,000 nodes, the most that a transcr"),
        (
            "A -> B\n" + "no arrow " * 6_000,
            "^1 line cannot be read, .* at most 50,000 characters .* would be 54,0..\\. N",
        ),
    ],
)
def test_a_paste_that_no_transcription_can_take_is_refused_whole(
    sqlite_study: Study, people: SimpleNamespace, work: str, text: str, said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        add(people.annotator, work, text)
    assert edges(people.annotator, work) == []
    assert seen(people.annotator, work).faults == ()


def test_long_faulty_lines_do_not_pile_up(sqlite_study: Study, people: SimpleNamespace, work: str) -> None:
    """They go to the browser with every act; ten pastes of one long line made two megabytes of each."""
    add(people.annotator, work, "x" * 49_000)
    with pytest.raises(BadInput, match=r"at most 50,000 characters .* would be 51,000"):
        add(people.annotator, work, "y" * 2_000)
    assert len(seen(people.annotator, work).faults) == 1


def test_a_paste_of_one_edge_many_times_says_so_in_a_few_lines(
    sqlite_study: Study, people: SimpleNamespace, work: str
) -> None:
    outcome = add(people.annotator, work, "A -> B\n" * 30)
    assert len(outcome.notices) == 21
    assert outcome.notices[-1] == "… and 9 more of this kind."


def test_a_line_listed_already_is_an_act_without_a_change(
    sqlite_study: Study, people: SimpleNamespace, work: str
) -> None:
    add(people.annotator, work, "A -> B")
    outcome = add(people.annotator, work, "A -> B")
    assert outcome.receipt is not None
    assert outcome.notices == ("“A” → “B” is already listed.",)
    assert seen(people.annotator, work).version == 2
    undo(people.annotator, work)
    assert edges(people.annotator, work) == []  # the empty act was nothing to undo


def test_too_long_a_text_and_too_many_edges_are_refused_whole(
    sqlite_study: Study, people: SimpleNamespace, work: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadInput, match="200,001 characters"):
        add(people.annotator, work, "x" * 200_001)
    monkeypatch.setattr(editing, "MOST_EDGES", 3)
    add(people.annotator, work, "A -> B\nB -> C\nC -> D")
    with pytest.raises(BadInput, match="4 edges; a transcription may have at most 3"):
        add(people.annotator, work, "D -> E\nfaulty")
    assert len(edges(people.annotator, work)) == 3
    assert seen(people.annotator, work).faults == ()


def test_hostile_names_are_kept_letter_by_letter(study: Study, people: SimpleNamespace, work: str) -> None:
    name = "<img src=x onerror=alert(1)>'; DROP TABLE edge; --"
    add(people.annotator, work, f'"{name}" -> "=1+1"')
    record = seen(people.annotator, work).record
    assert {node.name for node in record.nodes.values()} == {name, "=1+1"}


# --- undo and redo -----------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_undo_and_redo_walk_back_and_forth_and_a_new_edit_ends_redo(
    study: Study, people: SimpleNamespace, work: str
) -> None:
    me = people.annotator
    first = seen(me, work)
    assert (first.can_undo, first.can_redo) == (False, False)
    add(me, work, "A -> B")
    add(me, work, "B -> C")
    undo(me, work)
    assert edges(me, work) == ["A -> B"]
    undo(me, work)
    assert edges(me, work) == []
    with pytest.raises(Refused, match="nothing to undo"):
        undo(me, work)
    redo(me, work)
    redo(me, work)
    assert edges(me, work) == ["A -> B", "B -> C"]
    with pytest.raises(Refused, match="nothing to redo"):
        redo(me, work)
    undo(me, work)
    add(me, work, "X -> Y")
    now = seen(me, work)
    assert (now.can_undo, now.can_redo) == (True, False)
    undo(me, work)
    undo(me, work)
    assert edges(me, work) == []
    with study.store.reading() as session:
        assert history.rebuild(session, now.graph_id).edges == {}


@pytest.mark.both(usually=False)
def test_every_kind_of_edit_is_undone_and_redone_exactly(study: Study, people: SimpleNamespace, work: str) -> None:
    me = people.annotator
    add(me, work, "A -> B\nB -> C\nC -> A\na -> B")

    def edge(text: str) -> str:
        now = seen(me, work)
        return now.record.ordered_edges()[edges(me, work).index(text)].id

    def at() -> VersionedAct:
        return {"seen": seen(me, work).version, "act_id": new_id()}

    edits: list[Callable[[], object]] = [
        lambda: transcribing.edit_edge(me, work, edge("A -> B"), "sign", "-", **at()),
        lambda: transcribing.edit_edge(me, work, edge("B -> C"), "sink", "D", **at()),
        lambda: transcribing.edit_edge(me, work, edge("B -> C"), "delay", True, **at()),
        lambda: transcribing.edit_edge(me, work, edge("B -> C"), "flag", "not causal", **at()),
        lambda: transcribing.edit_edge(me, work, edge("B -> C"), "note", "hm", **at()),
        lambda: transcribing.rename_node(me, work, "B", "Bread", **at()),
        lambda: transcribing.rename_node(me, work, "a", "A", **at()),
        lambda: transcribing.remove_edge(me, work, edge("C -> A"), **at()),
        lambda: transcribing.remove_node(me, work, "B", **at()),
    ]
    for make in edits:
        before = seen(me, work).record
        make()
        after = seen(me, work).record
        assert after != before
        undo(me, work)
        assert seen(me, work).record == before
        redo(me, work)
        assert seen(me, work).record == after
        undo(me, work)
    graph_id = seen(me, work).graph_id
    with study.store.reading() as session:
        assert history.rebuild(session, graph_id) == graphs.read_graph(session, graph_id)


def test_an_edit_that_breaks_the_graph_is_refused_and_nothing_is_written(
    study: Study, people: SimpleNamespace, work: str
) -> None:
    add(people.annotator, work, "A -> B (+)\nA -> B (-)")
    before = events(study), seen(people.annotator, work)
    edge_id = before[1].record.ordered_edges()[0].id
    with pytest.raises(InvalidGraph, match="already listed"):
        transcribing.edit_edge(people.annotator, work, edge_id, "sign", "-", seen=2, act_id=new_id())
    assert (events(study), seen(people.annotator, work)) == before


@pytest.mark.both(usually=False)
def test_laying_out_anew_moves_nodes_and_is_no_edit(study: Study, people: SimpleNamespace, work: str) -> None:
    add(people.annotator, work, "A -> B\nB -> C")
    before = events(study), seen(people.annotator, work)
    transcribing.rearrange(people.annotator, work)
    after = seen(people.annotator, work)
    assert set(after.positions(after.record)) == set(before[1].record.nodes)
    assert (events(study), after.version, after.record) == (before[0], before[1].version, before[1].record)


@pytest.mark.both(usually=False)
def test_nodes_stay_where_they_were_drawn_between_visits(study: Study, people: SimpleNamespace, work: str) -> None:
    add(people.annotator, work, "A -> B")
    before = seen(people.annotator, work)
    first = before.positions(before.record)
    add(people.annotator, work, "B -> C")
    after = seen(people.annotator, work)
    second = after.positions(after.record)
    assert {key: second[key] for key in first} == first


# --- handing in and back -----------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_handing_in_locks_until_a_reviewer_returns_it_with_a_comment(
    study: Study, people: SimpleNamespace, work: str
) -> None:
    me, reviewer = people.annotator, people.reviewer
    add(me, work, "A -> B")
    submit(me, work)
    locked = seen(me, work)
    assert (locked.state, locked.may_edit, locked.can_undo) == ("submitted", False, False)
    edge_id = next(iter(locked.record.edges))
    at = VersionedAct(seen=locked.version, act_id=new_id())
    attempts: list[Callable[[], object]] = [
        lambda: transcribing.add_lines(me, work, "B -> C", pasted=False, **at),
        lambda: transcribing.add_lines(me, work, "faulty", pasted=False, **at),
        lambda: transcribing.edit_edge(me, work, edge_id, "sign", "+", **at),
        lambda: transcribing.remove_edge(me, work, edge_id, **at),
        lambda: transcribing.rename_node(me, work, "A", "Z", **at),
        lambda: transcribing.remove_node(me, work, "A", **at),
        lambda: transcribing.undo(me, work, **at),
        lambda: transcribing.redo(me, work, **at),
        lambda: transcribing.submit(me, work, **at),
    ]
    for attempt in attempts:
        with pytest.raises(Refused, match="submitted and cannot be changed"):
            attempt()
    with pytest.raises(BadInput, match="Write what to check"):
        transcribing.return_to_annotator(reviewer, work, "  ", act_id=new_id())
    with pytest.raises(BadInput, match="5,001 characters"):
        transcribing.return_to_annotator(reviewer, work, "x" * 5_001, act_id=new_id())
    transcribing.return_to_annotator(reviewer, work, "Look at the loop again", act_id=new_id())
    back = seen(me, work)
    assert (back.state, back.comment, back.may_edit) == ("returned", "Look at the loop again", True)
    add(me, work, "B -> A")
    submit(me, work)
    transcribing.accept(reviewer, work, act_id=new_id())
    assert (seen(me, work).state, seen(me, work).may_edit) == ("accepted", False)
    with pytest.raises(Refused, match="accepted, not submitted"):
        transcribing.return_to_annotator(reviewer, work, "too late", act_id=new_id())
    with pytest.raises(Refused, match="cannot be changed"):
        add(me, work, "C -> A")


def test_an_empty_transcription_cannot_be_handed_in(sqlite_study: Study, people: SimpleNamespace, work: str) -> None:
    with pytest.raises(Refused, match="has no edge"):
        submit(people.annotator, work)


def test_nobody_reviews_their_own_work(sqlite_study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    mine = take(people.researcher, a_figure)
    add(people.researcher, mine, "A -> B")
    submit(people.researcher, mine)
    assert not seen(people.researcher, mine).may_return
    with pytest.raises(Refused, match="your own"):
        transcribing.accept(people.researcher, mine, act_id=new_id())
    assert seen(people.reviewer, mine).may_return


@pytest.mark.both(usually=False)
def test_two_reviewers_at_once_cannot_both_rule(
    study: Study, people: SimpleNamespace, work: str, newcomer: Callable[..., Viewer]
) -> None:
    add(people.annotator, work, "A -> B")
    submit(people.annotator, work)
    reviewers = [people.reviewer, newcomer("Another reviewer", Role.REVIEWER)]
    together = Barrier(2)

    def rule(number: int) -> str:
        together.wait()
        try:
            if number:
                transcribing.accept(reviewers[1], work, act_id=new_id())
            else:
                transcribing.return_to_annotator(reviewers[0], work, "again", act_id=new_id())
        except EdgewiseError:
            return ""
        return "accepted" if number else "returned"

    with ThreadPoolExecutor(2) as threads:
        ruled = [word for word in threads.map(rule, range(2)) if word]
    assert len(ruled) == 1
    assert seen(people.annotator, work).state == ruled[0]


@pytest.mark.both(usually=False)
def test_an_archived_figure_cannot_be_begun(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    figures.archive_figure(people.researcher, a_figure.id, True, seen=1, act_id=new_id())
    with pytest.raises(Refused, match="archived"):
        take(people.annotator, a_figure)
    assert lists.own_lists(people.annotator).free == ()


def test_taking_again_goes_on_with_the_same(study: Study, people: SimpleNamespace, a_figure: SimpleNamespace) -> None:
    assert take(people.annotator, a_figure) == take(people.annotator, a_figure)
    assert take(people.colleague, a_figure) != take(people.annotator, a_figure)


# --- worklists ---------------------------------------------------------------------------------------------------


@pytest.mark.both(usually=False)
def test_worklists_show_what_is_mine_what_is_free_and_what_waits_for_review(
    study: Study, people: SimpleNamespace, another_figure: Callable[[str], SimpleNamespace]
) -> None:
    first, second, third = (another_figure(title) for title in ("One", "Two", "Three"))
    mine = take(people.annotator, first)
    add(people.annotator, mine, "A -> B\nB -> C")
    take(people.colleague, first)
    take(people.colleague, second)
    assert [(w.paper_title, w.state, w.nodes, w.edges) for w in lists.own_lists(people.annotator).mine] == [
        ("One", "open", 3, 2)
    ]
    # One person has begun Two, nobody Three; One has both places taken.
    assert [w.paper_title for w in lists.own_lists(people.annotator).free] == ["Two", "Three"]
    assert [w.paper_title for w in lists.own_lists(people.colleague).free] == ["Three"]
    assert lists.submitted_work(people.reviewer) == ()
    submit(people.annotator, mine)
    assert [(w.paper_title, w.annotator, w.edges) for w in lists.submitted_work(people.reviewer)] == [
        ("One", "", 2)  # they may rule on it
    ]
    assert [w.annotator for w in lists.submitted_work(people.owner)] == ["The annotator"]
    transcribing.return_to_annotator(people.reviewer, mine, "again", act_id=new_id())
    assert [(w.state, w.edges) for w in lists.submitted_work(people.reviewer)] == [("returned", 0)]
    take(people.annotator, third)
    assert [w.state for w in lists.own_lists(people.annotator).mine] == ["returned", "open"]


def test_the_history_of_a_transcription_never_holds_a_name(study: Study, people: SimpleNamespace, work: str) -> None:
    add(people.annotator, work, "A -> B")
    submit(people.annotator, work)
    with study.store.reading() as session:
        for event in session.exec(select(EventRow).order_by(col(EventRow.seq))).all():
            assert "The annotator" not in str(event.model_dump())
