"""Codes of answers, and lists of answers that people code. No function here commits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, func, select

from core.runs.codebook import counted_codes
from store.assignments import CODING, HANDED_IN
from store.sql_in import among
from store.tables import AnswerCodesRow, AssignmentRow, CodingListRow
from store.tables.runs import RunItemRow

_OF_THIS_ANSWER = col(AnswerCodesRow.answered_at).is_not_distinct_from(RunItemRow.done_at)


def lists(session: Session, run_id: str | None = None) -> list[CodingListRow]:
    """Return the lists in use, of all runs for None, oldest first."""
    query = select(CodingListRow).where(col(CodingListRow.withdrawn_at).is_(None))
    query = query if run_id is None else query.where(CodingListRow.run_id == run_id)
    return list(session.exec(query.order_by(col(CodingListRow.created_at), col(CodingListRow.id))))


def submitters(session: Session) -> dict[str, set[str]]:
    """Return list → the people who submitted their codes of it."""
    query = select(AssignmentRow.subject_id, AssignmentRow.person_id)
    result: dict[str, set[str]] = {}
    for list_id, person_id in session.exec(
        query.where(AssignmentRow.kind == CODING, col(AssignmentRow.state).in_(HANDED_IN))
    ):
        result.setdefault(list_id, set()).add(person_id)
    return result


def is_complete(row: CodingListRow, submitted: Mapping[str, Collection[str]]) -> bool:
    """Return whether all people of a list have submitted. `submitted` is that of `submitters`."""
    return len(submitted.get(row.id, ())) >= row.people


def own_codes(session: Session, item_id: str, coder: str) -> AnswerCodesRow | None:
    query = select(AnswerCodesRow).where(AnswerCodesRow.item_id == item_id, AnswerCodesRow.coder == coder)
    return session.exec(query).first()


def coded_by(session: Session, coder: str, item_ids: Iterable[str]) -> dict[str, AnswerCodesRow]:
    """Return item → a person's codes of its answer."""
    query = select(AnswerCodesRow).join(RunItemRow, col(RunItemRow.id) == AnswerCodesRow.item_id)
    query = query.where(AnswerCodesRow.coder == coder, _OF_THIS_ANSWER)
    return {row.item_id: row for row in session.exec(query.where(among(session, AnswerCodesRow.item_id, item_ids)))}


def coded_items(session: Session, run_id: str) -> set[str]:
    """Return the items of a run whose answers anyone has coded."""
    query = select(AnswerCodesRow.item_id).join(RunItemRow, col(RunItemRow.id) == AnswerCodesRow.item_id)
    return set(session.exec(query.where(RunItemRow.run_id == run_id, _OF_THIS_ANSWER)))


def earlier_codes(session: Session, item_id: str) -> list[AnswerCodesRow]:
    """Return the codes of earlier answers of an item, oldest first; they count nowhere."""
    query = select(AnswerCodesRow).join(RunItemRow, col(RunItemRow.id) == AnswerCodesRow.item_id)
    query = query.where(AnswerCodesRow.item_id == item_id, ~_OF_THIS_ANSWER)
    return list(session.exec(query.order_by(col(AnswerCodesRow.coded_at))))


def coded_runs(session: Session) -> list[str]:
    """Return the runs of which anyone has coded an answer."""
    query = select(RunItemRow.run_id).join(AnswerCodesRow, col(RunItemRow.id) == AnswerCodesRow.item_id)
    return sorted(session.exec(query.distinct()))


def shown_codes(session: Session, run_id: str, item_id: str | None = None) -> dict[str, list[AnswerCodesRow]]:
    """Return item → its codes by each coder and the ruling on them, oldest first, of a run or one item of it.

    Codes of a list are left out until all its people have submitted, so that they are blind; then those of the people
    who submitted count. Of other answers, codes count that are not empty. Codes of an earlier answer are left out."""
    if item_id is None and run_id not in coded_runs(session):  # else SQLite may read all items of the run
        return {}
    query = select(AnswerCodesRow).join(RunItemRow, col(RunItemRow.id) == AnswerCodesRow.item_id)
    query = query.where(RunItemRow.run_id == run_id, _OF_THIS_ANSWER)
    query = query if item_id is None else query.where(AnswerCodesRow.item_id == item_id)
    rows = session.exec(query.order_by(col(AnswerCodesRow.is_ruling), col(AnswerCodesRow.coded_at))).all()
    if not rows:
        return {}
    in_use, submitted = {row.id: row for row in lists(session, run_id)}, submitters(session)
    result: dict[str, list[AnswerCodesRow]] = {}
    for row in rows:
        if (coding_list := in_use.get(row.list_id or "")) is None:
            is_shown = row.is_ruling or bool(row.codes)
        else:
            is_shown = is_complete(coding_list, submitted) and row.coder in submitted[coding_list.id]
        if is_shown:
            result.setdefault(row.item_id, []).append(row)
    return result


def codes_in_tables(session: Session, run_id: str) -> dict[str, tuple[str, ...]]:
    """Return item → the codes by which it counts in tables; items without any are missing."""
    counted = {
        item: counted_codes([row.codes for row in rows if not row.is_ruling], _ruling(rows))
        for item, rows in shown_codes(session, run_id).items()
    }
    return {item: codes for item, codes in counted.items() if codes}


def _ruling(rows: Iterable[AnswerCodesRow]) -> list[str] | None:
    return next((row.codes for row in rows if row.is_ruling), None)


def last_change(session: Session) -> tuple[int, datetime | None, int, datetime | None]:
    """Return what differs whenever codes in tables do: codes, and lists that are submitted or withdrawn."""
    codes = session.exec(select(func.count(), func.max(AnswerCodesRow.coded_at))).one()
    ended: Any = select(func.count(), func.max(AssignmentRow.submitted_at)).where(AssignmentRow.kind == CODING)
    withdrawn = session.exec(select(func.count()).where(col(CodingListRow.withdrawn_at).is_not(None))).one()
    submitted = session.exec(ended.where(col(AssignmentRow.state).in_(HANDED_IN))).one()
    return codes[0], codes[1], submitted[0] + withdrawn, submitted[1]
