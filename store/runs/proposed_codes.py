"""Codes that models propose for the answers of a list, and people's decisions on them. No function here commits."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from sqlmodel import Session, col, select

from core.runs.codebook import LIST_OPTION, PROPOSING
from core.runs.states import AT_WORK, ItemStatus
from store.sql_in import among
from store.tables import CodeDecisionRow
from store.tables.runs import RunItemRow, RunRow, RunSampleRow


class Proposed(NamedTuple):
    """A code that a model proposes for an answer; `proposed_by` is the model's item."""

    item_id: str
    proposed_by: str
    model: str
    code: str
    quotation: str


def proposing_runs(session: Session) -> list[RunRow]:
    """Return the runs in use that propose codes, oldest first."""
    query = select(RunRow).where(RunRow.protocol == PROPOSING, col(RunRow.archived_at).is_(None))
    return list(session.exec(query.order_by(col(RunRow.number))))


def list_of_run(row: RunRow) -> str:
    """Return the list for which a run proposes codes."""
    return str((row.settings.get("wanted") or {}).get(LIST_OPTION) or "")


def awaited(session: Session) -> dict[str, int]:
    """Return list → number of the run that is at work on proposals for it."""
    return {list_of_run(row): row.number for row in proposing_runs(session) if row.state in AT_WORK}


def proposed(session: Session, list_id: str, item_ids: Collection[str]) -> list[Proposed]:
    """Return the codes proposed for answers of a list, in the order of runs and of the codebook; each code of an answer
    once, by the first that proposed it. Proposals for an earlier answer of an item are left out."""
    runs = [row.id for row in proposing_runs(session) if list_of_run(row) == list_id]
    if not runs:
        return []
    columns: Any = (RunSampleRow.facts, RunItemRow.id, RunItemRow.model, RunItemRow.parsed)
    query = (
        select(*columns)
        .join(RunSampleRow, col(RunSampleRow.id) == col(RunItemRow.sample_id))
        .where(
            col(RunItemRow.run_id).in_(runs),
            RunItemRow.status == ItemStatus.ANSWERED.value,
            among(session, RunSampleRow.key, item_ids),
        )
        .order_by(col(RunItemRow.id))
    )
    answered = select(RunItemRow.id, RunItemRow.done_at).where(among(session, RunItemRow.id, item_ids))
    times = {item: at and at.isoformat() for item, at in session.exec(answered)}
    result: dict[tuple[str, str], Proposed] = {}
    for facts, proposed_by, model, parsed in session.exec(query):
        item = facts["item"]
        if facts["answered_at"] == (times.get(item) or ""):
            for each in parsed["proposals"]:
                one = Proposed(item, proposed_by, model, each["code"], each["quotation"])
                result.setdefault((item, each["code"]), one)
    return list(result.values())


def decisions(session: Session, item_ids: Iterable[str], coder: str | None = None) -> list[CodeDecisionRow]:
    """Return the decisions on codes proposed for these answers, oldest first; of one person, if named."""
    query = select(CodeDecisionRow).where(among(session, CodeDecisionRow.item_id, item_ids))
    query = query if coder is None else query.where(CodeDecisionRow.coder == coder)
    return list(session.exec(query.order_by(col(CodeDecisionRow.decided_at), col(CodeDecisionRow.id))))
