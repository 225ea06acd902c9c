"""First states of transcriptions: how they are asked of the database. What they hold: tests/services/transcription."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from sqlalchemy import event
from sqlmodel import Session

from store import agreement, assignments
from store.engine import Store
from store.graphs import submitted_copies

ASKED: dict[str, Callable[[Session], object]] = {
    "of some graphs": lambda session: submitted_copies.firsts_of(session, ["one", "two"]),
    "of works to take out": lambda session: assignments.drawn_in(session, "transcription", ("submitted",)),
    "of works to compare": agreement.submitted_work,
    "of names that people took for one": agreement.decisions_on_names,
}


@pytest.mark.parametrize("which", ASKED)
def test_they_are_found_by_their_index_and_no_graph_is_looked_through(sqlite_url: str, which: str) -> None:
    """The index is of some rows only, and SQLite takes it for a condition in its very words."""
    store, asked = Store(sqlite_url), list[tuple[str, Sequence[object]]]()
    with store.reading() as session:
        connection = session.connection()
        event.listen(connection, "before_cursor_execute", lambda *said: asked.append((said[2], said[3])))
        ASKED[which](session)
        (said, values), *_further = list(asked)
        plan = [str(row[3]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {said}", values)]
    store.close()
    assert any("ix_graph_first" in step for step in plan), plan
