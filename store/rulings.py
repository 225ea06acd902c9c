"""Adjudicators' rulings, and the two transcriptions of each adjudication. No function here commits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func
from sqlmodel import Session, col, select

from core.adjudication.differences import Choice, DifferenceKind, Reason, Ruling
from core.graphs.alignment import NameClass
from core.sign import Sign
from store.tables import AssignmentRow, RulingRow

BETWEEN = "between"
"""Key and kind of the row that names the two transcriptions of a round."""


class AlignmentPair(NamedTuple):
    """Ids of the two transcriptions' assignments and graphs; the first is A, the second B. The order is drawn when
    an adjudication starts; in the oldest ones, A was submitted first."""

    first: str
    second: str
    first_graph: str
    second_graph: str


def between(session: Session, row: AssignmentRow, round: int | None = None) -> AlignmentPair | None:
    """Return the two transcriptions of an adjudication, in its current round or another."""
    row_of_pair = session.get(RulingRow, (row.id, round or row.round, BETWEEN))
    return AlignmentPair(**row_of_pair.value) if row_of_pair is not None else None


def between_of(session: Session, rows: Iterable[AssignmentRow]) -> dict[str, AlignmentPair]:
    """Return adjudication id → its two transcriptions in its current round."""
    rounds = {row.id: row.round for row in rows}
    query = select(RulingRow).where(RulingRow.key == BETWEEN, col(RulingRow.assignment_id).in_(list(rounds)))
    pairs = session.exec(query)
    return {row.assignment_id: AlignmentPair(**row.value) for row in pairs if row.round == rounds[row.assignment_id]}


def keep_between(session: Session, row: AssignmentRow, pair: AlignmentPair, by: str) -> None:
    session.add(
        RulingRow(
            assignment_id=row.id,
            round=row.round,
            key=BETWEEN,
            kind=BETWEEN,
            choice="",
            value=pair._asdict(),
            ruled_by=by,
            ruled_at=row.claimed_at,
        )
    )
    session.flush()


def rulings(session: Session, row: AssignmentRow) -> tuple[Ruling, ...]:
    """Return the rulings of an adjudication's current round, by creation time."""
    query = select(RulingRow).where(
        RulingRow.assignment_id == row.id, RulingRow.round == row.round, RulingRow.kind != BETWEEN
    )
    return tuple(
        _read(ruling_row) for ruling_row in session.exec(query.order_by(col(RulingRow.ruled_at), col(RulingRow.key)))
    )


def count_rulings(session: Session, rows: Iterable[AssignmentRow]) -> dict[str, int]:
    """Return adjudication id → number of rulings in its current round."""
    rounds = {row.id: row.round for row in rows}
    query = (
        select(RulingRow.assignment_id, RulingRow.round, func.count())
        .where(col(RulingRow.assignment_id).in_(list(rounds)), RulingRow.kind != BETWEEN)
        .group_by(RulingRow.assignment_id, col(RulingRow.round))
    )
    return {key: count for key, round, count in session.exec(query) if rounds[key] == round}


def keep_ruling(session: Session, row: AssignmentRow, key: str, ruling: Ruling | None, by: str, at: datetime) -> None:
    """Insert or replace a ruling of the current round; None deletes it."""
    ruling_row = session.get(RulingRow, (row.id, row.round, key))
    if ruling is None:
        if ruling_row is not None:
            session.delete(ruling_row)
    else:
        ruling_row = ruling_row or RulingRow(
            assignment_id=row.id, round=row.round, key=key, kind="", choice="", ruled_by=by, ruled_at=at
        )
        ruling_row.kind, ruling_row.choice = ruling.kind.value, ruling.choice.value
        ruling_row.reasons = [reason.value for reason in ruling.reasons]
        ruling_row.is_gap, ruling_row.comment, ruling_row.value, ruling_row.ruled_by = (
            ruling.is_gap,
            ruling.comment,
            _value(ruling),
            by,
        )
        session.add(ruling_row)
    session.flush()


def verdict_choices(session: Session, rows: Iterable[AssignmentRow]) -> dict[str, Choice]:
    """Return adjudication id → the ruling on whether there is a graph, in its current round."""
    rounds = {row.id: row.round for row in rows}
    query = select(RulingRow.assignment_id, RulingRow.round, RulingRow.choice).where(
        col(RulingRow.assignment_id).in_(list(rounds)), RulingRow.kind == DifferenceKind.VERDICT.value
    )
    return {key: Choice(choice) for key, round, choice in session.exec(query) if rounds[key] == round}


def ruling_as_json(ruling: Ruling | None) -> dict[str, Any] | None:
    """Return the history's form of a ruling; `ruling_from_json` reads it."""
    if ruling is None:
        return None
    return {
        "key": ruling.key,
        "kind": ruling.kind.value,
        "choice": ruling.choice.value,
        "reasons": [reason.value for reason in ruling.reasons],
        "is_gap": ruling.is_gap,
        "comment": ruling.comment,
        "value": _value(ruling),
    }


def ruling_from_json(data: Mapping[str, Any] | None) -> Ruling | None:
    if data is None:
        return None
    value = data["value"]
    sign, name_class = value.get("sign"), value.get("name_class")
    return Ruling(
        key=data["key"],
        kind=DifferenceKind(data["kind"]),
        choice=Choice(data["choice"]),
        reasons=tuple(map(Reason, data["reasons"])),
        comment=data["comment"],
        is_gap=data["is_gap"],
        reference=value.get("reference"),
        name_class=NameClass(name_class) if name_class else None,
        wording=value.get("wording", ""),
        is_there=value.get("is_there", True),
        sign=Sign(sign) if sign else None,
        delay=value.get("delay", False),
    )


def _read(row: RulingRow) -> Ruling:
    fields = ("key", "kind", "choice", "reasons", "is_gap", "comment", "value")
    ruling = ruling_from_json({name: getattr(row, name) for name in fields})
    assert ruling is not None
    return ruling


def _value(ruling: Ruling) -> dict[str, Any]:
    if ruling.kind is DifferenceKind.NAME:
        return {
            "reference": ruling.reference,
            "wording": ruling.wording,
            "name_class": ruling.name_class.value if ruling.name_class else None,
        }
    if ruling.kind is DifferenceKind.OWN:
        sign = ruling.sign.value if ruling.sign else None
        return {"is_there": ruling.is_there, "sign": sign, "delay": ruling.delay}
    return {}
