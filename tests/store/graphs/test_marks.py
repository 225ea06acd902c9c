"""Marks in the store: written with their event, read for many graphs at once, folded from the history alone."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError

from core.transcription.marks import MarkChange, Marks
from services.study import Study
from store import history
from store.graphs.marks import (
    mark_changes_at,
    read_all_marks,
    read_marks,
    rebuild_marks,
    write_marks,
)
from store.tables import GraphRow, MarkRow, new_id

pytestmark = pytest.mark.both

LONG = "An extraordinarily long name " * 10


def keep(study: Study, graph_id: str, changes: tuple[MarkChange, ...]) -> int:
    with study.store.writing() as session:
        write_marks(session, graph_id, changes, "someone", study.clock())
        event = history.record(
            session,
            history.Actor("someone"),
            "graph.edit",
            at=study.clock(),
            act_id=new_id(),
            subject_kind="graph",
            subject_id=graph_id,
            graph_id=graph_id,
            payload={"marks": [change.as_json() for change in changes]},
        )
        assert event.seq is not None
        return event.seq


def marks_of(study: Study, graph_id: str) -> Marks:
    with study.store.reading() as session:
        return read_marks(session, graph_id)


def test_a_graph_without_marks_has_none(study: Study, graph_id: str) -> None:
    assert marks_of(study, graph_id) == Marks()


def test_marks_are_written_changed_and_removed_and_fold_from_the_history(study: Study, graph_id: str) -> None:
    made = (
        MarkChange("swept", "n1", None, {}),
        MarkChange("not a variable", "k", None, {"text": "R1 ☃"}),
        MarkChange("proposal", "p", None, {"answer": "accepted", "edge": "e", "path": [[0.1, 2.0], [3.5, 4.0]]}),
    )
    first = keep(study, graph_id, made)
    keep(study, graph_id, (MarkChange("proposal", "p", made[2].after, {"answer": "refused"}),))
    keep(study, graph_id, (MarkChange("swept", "n1", {}, None),))
    found = marks_of(study, graph_id)
    assert found.values == {
        ("not a variable", "k"): {"text": "R1 ☃"},
        ("proposal", "p"): {"answer": "refused"},
    }
    with study.store.reading() as session:
        assert rebuild_marks(session, graph_id) == found
        assert mark_changes_at(session, first) == made


def test_the_marks_of_many_graphs_are_read_apart(study: Study, graph_id: str) -> None:
    other = GraphRow(kind="import", created_by="terminal", created_at=study.clock())
    with study.store.writing() as session:
        session.add(other)
    keep(study, graph_id, (MarkChange("swept", "n", None, {}),))
    keep(study, other.id, (MarkChange("distinct", "k", None, {"names": [LONG, "x"]}),))
    with study.store.reading() as session:
        found = read_all_marks(session, [other.id, graph_id, "unknown"])
    assert found[graph_id].swept == {"n"}
    assert found[other.id].distinct == {frozenset((LONG, "x"))}
    assert found["unknown"] == Marks()


def test_a_kind_that_is_none_is_refused_by_the_database(study: Study, graph_id: str) -> None:
    row = MarkRow(graph_id=graph_id, kind="liked", key="k", set_by="someone", set_at=study.clock())
    with pytest.raises(IntegrityError), study.store.writing() as session:
        session.add(row)
