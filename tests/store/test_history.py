"""The history: append-only in the database itself, one event an act, any moment of a graph rebuilt from it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError

from core.graphs import edits
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord
from services.study import Study
from store import history
from store.graphs import graphs
from store.tables import EventRow, new_id

pytestmark = pytest.mark.both


def note(study: Study, act: str = "paper.screen", **more: Any) -> EventRow:
    fields = {"act_id": new_id(), "subject_kind": "paper", "subject_id": "p1", "at": study.clock(), **more}
    with study.store.writing() as session:
        return history.record(session, history.Actor("someone"), act, **fields)


def refused(study: Study, statement: str) -> str:
    with pytest.raises(DBAPIError) as caught, study.store.writing() as session:
        session.execute(text(statement))
    return str(caught.value.orig)


@pytest.mark.proof("T8", "the history changed past the program", gate="refused by the database")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET actor = 'someone else'",
        "UPDATE event SET payload = '{}' WHERE seq = 1",
        "DELETE FROM event",
        "DELETE FROM event WHERE seq = 1",
    ],
)
def test_the_database_refuses_to_change_or_remove_an_event(study: Study, statement: str) -> None:
    kept = note(study)
    assert "append-only" in refused(study, statement)
    with study.store.reading() as session:
        found = history.event_of(session, kept.id)
        assert found is not None
        assert found.actor == "someone"


def test_sqlite_refuses_to_write_over_an_event(sqlite_study: Study) -> None:
    kept = note(sqlite_study)
    for column, value in (("id", f"'{kept.id}'"), ("seq", str(kept.seq))):
        columns = "seq, id" if column == "seq" else "id"
        values = f"{value}, 'other'" if column == "seq" else value
        message = refused(
            sqlite_study,
            f"INSERT OR REPLACE INTO event ({columns}, at, actor, act, subject_kind, subject_id, payload)"
            f" VALUES ({values}, '2026-01-01', 'forger', 'x', 'x', 'x', '{{}}')",
        )
        assert "append-only" in message


def test_postgresql_refuses_to_empty_the_history(postgresql_study: Study) -> None:
    note(postgresql_study)
    assert "append-only" in refused(postgresql_study, "TRUNCATE event")


def test_events_count_up_and_an_act_id_stands_once(study: Study) -> None:
    first, second = note(study), note(study)
    assert first.seq is not None
    assert second.seq is not None
    assert first.seq < second.seq
    with pytest.raises(IntegrityError):
        note(study, act_id=first.id)


def test_a_place_in_the_history_is_never_given_again(sqlite_study: Study) -> None:
    kept = note(sqlite_study)
    with pytest.raises(RuntimeError), sqlite_study.store.writing() as session:
        history.record(
            session,
            history.Actor("x"),
            "x",
            at=sqlite_study.clock(),
            act_id=new_id(),
            subject_kind="x",
            subject_id="x",
        )
        raise RuntimeError
    later = note(sqlite_study)
    assert kept.seq is not None
    assert later.seq is not None
    assert later.seq > kept.seq


def test_events_are_found_by_act_subject_and_age(study: Study) -> None:
    first = note(study, "paper.import", subject_id="p1")
    second = note(study, "paper.screen", subject_id="p2")
    third = note(study, "paper.screen", subject_id="p1")
    with study.store.reading() as session:
        assert [e.id for e in history.events_about(session, "p1")] == [first.id, third.id]
        assert [e.id for e in history.last_events(session, 2)] == [third.id, second.id]
        assert [e.id for e in history.last_events(session, 5, ("paper.import",))] == [first.id]
        assert history.event_of(session, "unknown") is None


def test_an_event_names_both_the_owner_and_whom_they_worked_as(study: Study) -> None:
    with study.store.writing() as session:
        event = history.record(
            session,
            history.Actor("owner", on_behalf_of="demo"),
            "x",
            at=study.clock(),
            act_id=new_id(),
            subject_kind="x",
            subject_id="x",
        )
    assert (event.actor, event.on_behalf_of) == ("owner", "demo")


def test_any_moment_of_a_graph_is_rebuilt_as_it_was(study: Study, graph_id: str, write: Callable[..., int]) -> None:
    moments: list[tuple[int, GraphRecord]] = []

    def step(make: Callable[[GraphRecord], tuple[Change, ...]]) -> None:
        with study.store.reading() as session:
            state = graphs.read_graph(session, graph_id)
        seq = write(make(state))
        with study.store.reading() as session:
            moments.append((seq, graphs.read_graph(session, graph_id)))

    def draw(*pairs: tuple[str, str]) -> Callable[[GraphRecord], tuple[Change, ...]]:
        return lambda state: edits.add_edges(state, [(a, b, None) for a, b in pairs], ["Lonely"], new_id=new_id)[0]

    def edge(state: GraphRecord, place: int) -> EdgeRecord:
        return state.ordered_edges()[place]

    def node(state: GraphRecord, name: str) -> NodeRecord:
        found = state.node_named(name)
        assert found is not None
        return found

    step(draw(("A", "B"), ("B", "C"), ("C", "A")))
    step(lambda state: edits.edit_edge(state, edge(state, 0).id, "sign", "-", new_id=new_id))
    step(lambda state: edits.edit_edge(state, edge(state, 1).id, "sink", "D", new_id=new_id))
    step(lambda state: edits.rename_node(state, node(state, "D").id, "A"))
    step(draw(("D", "E")))
    step(lambda state: edits.remove_node(state, node(state, "B").id))
    with study.store.reading() as session:
        assert history.rebuild(session, graph_id, moments[0][0] - 1) == GraphRecord()
        for seq, state in moments:
            rebuilt = history.rebuild(session, graph_id, seq)
            assert rebuilt == state
            assert list(rebuilt.nodes) == list(state.nodes)
        assert history.rebuild(session, graph_id) == moments[-1][1]
    # By hand: A->B, B->C, C->A; C->A stays when B->C becomes B->D; D merges into A (B->A); then D->E; B leaves.
    assert [(e.source, e.sink) for e in moments[-1][1].graph().edges] == [("C", "A"), ("D", "E")]
    assert moments[-1][1].graph().isolated == ("Lonely",)


def test_undo_and_redo_stacks_follow_the_acts(study: Study, graph_id: str) -> None:
    def act(name: str) -> int:
        seq = note(study, name, subject_id=graph_id, subject_kind="graph", graph_id=graph_id).seq
        assert seq is not None
        return seq

    def stacks() -> tuple[list[int], list[int]]:
        with study.store.reading() as session:
            return history.undo_stacks(session, graph_id)

    assert stacks() == ([], [])
    one, two = act("graph.edit"), act("graph.edit")
    assert stacks() == ([one, two], [])
    act("graph.undo")
    assert stacks() == ([one], [two])
    act("graph.undo")
    assert stacks() == ([], [two, one])
    act("graph.redo")
    assert stacks() == ([one], [two])
    three = act("graph.edit")
    assert stacks() == ([one, three], [])
    note(study, "graph.edit", subject_id="other")
    assert stacks() == ([one, three], [])


@pytest.mark.parametrize("acts", [history.EDIT_ACTS, history.RULING_ACTS])
def test_the_kept_depths_are_those_of_the_stacks_whatever_was_done(
    study: Study, graph_id: str, acts: tuple[str, str, str]
) -> None:
    """Also when more is undone or redone than there is: seeded draws, two edits to an undo and a redo each."""
    draw = Random(17)
    for _ in range(40):
        note(study, draw.choice((*acts, acts[0])), subject_id=graph_id, subject_kind="graph", graph_id=graph_id)
        with study.store.reading() as session:
            undo, redo = history.undo_stacks(session, graph_id, acts)
            row = graphs.graph_row(session, graph_id)
            assert (row.undo_depth, row.redo_depth) == (len(undo), len(redo))


def test_the_last_edit_of_a_graph_has_a_time_and_an_untouched_graph_has_none(
    study: Study, graph_id: str, write: Callable[..., int]
) -> None:
    with study.store.reading() as session:
        assert history.last_edit_at(session, graph_id) is None
    write((Change(None, NodeRecord(id="n", name="A", origin="declared")),))
    with study.store.reading() as session:
        assert history.last_edit_at(session, graph_id) == study.clock()
