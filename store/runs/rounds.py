"""Further requests within items: stored before they are sent, ended with their item. No function here commits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam, case, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session

from core.runs.states import ItemStatus
from store.runs.runs import CHUNK
from store.tables.runs import RunRoundRow

ROUND = RunRoundRow.metadata.tables[str(RunRoundRow.__tablename__)]
FIRST = 2
"""Number of an item's first further request."""
_ENDED = case((ROUND.c.number < bindparam("last"), ItemStatus.ANSWERED.value), else_=bindparam("ended"))
_END = (
    update(ROUND).where(ROUND.c.item_id == bindparam("item"), ROUND.c.number <= bindparam("last")).values(status=_ENDED)
)
_CUT = delete(ROUND).where(ROUND.c.item_id == bindparam("item"), ROUND.c.number > bindparam("last"))


def keep(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store requests that will be sent, each row with every column of `run_round`; earlier rounds are answered. A
    round of the same number from another protocol version is overwritten."""
    if not rows:
        return
    insert_function: Any = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    insert = insert_function(ROUND)
    new = {name: insert.excluded[name] for name in ("purpose", "model", "request_hash", "status", "fault")}
    connection = session.connection()
    connection.execute(insert.on_conflict_do_update(index_elements=["item_id", "number"], set_=new), list(rows))
    before = [
        {"item": row["item_id"], "last": row["number"] - 1, "ended": ItemStatus.ANSWERED.value}
        for row in rows
        if row["number"] > FIRST
    ]
    if before:
        connection.execute(_END, before)


def end(session: Session, rows: Sequence[Mapping[str, Any]]) -> None:
    """Set how the rounds of items ended. Each row: `item`, `last` (number of its last request, 1 without further
    ones) and `ended` (that request's status). Rounds after it, from an earlier protocol version, are deleted."""
    if rows:
        connection = session.connection()
        connection.execute(_END, list(rows))
        connection.execute(_CUT, [{"item": row["item"], "last": row["last"]} for row in rows])


def of_items(session: Session, item_ids: Sequence[str]) -> dict[str, list[RunRoundRow]]:
    """Return item → its further requests in order; items without any are missing."""
    rounds: dict[str, list[RunRoundRow]] = defaultdict(list)
    for start in range(0, len(item_ids), CHUNK):
        query = select(RunRoundRow).where(ROUND.c.item_id.in_(item_ids[start : start + CHUNK]))
        for row in session.execute(query.order_by(ROUND.c.item_id, ROUND.c.number)).scalars():
            rounds[row.item_id].append(row)
    return dict(rounds)
