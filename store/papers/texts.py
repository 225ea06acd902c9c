"""Texts of papers: the stages of a figure's text, their changes, and levels of nodes. No function here commits."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import delete, or_
from sqlalchemy.orm import defer
from sqlalchemy.orm.attributes import flag_modified
from sqlmodel import Session, col, select

from core.errors import Missing
from core.texts.explicitness import ExplicitnessLevel
from core.texts.redline import TextChange
from core.texts.states import Stage
from store.papers.papers import is_located
from store.sql_in import among
from store.tables import EventRow, FigureRow, NodeLevelRow, PaperRow, PaperTextChangeRow, PaperTextRow

_CONTENT: Any = PaperTextRow.content
_NO_CONTENT = defer(_CONTENT)
_CHANGE: Any = tuple(getattr(PaperTextChangeRow, each.name) for each in fields(TextChange))


def text_hash(content: str) -> str:
    """Return the SHA-256 (hex) of the UTF-8 text."""
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class TextHead:
    """The first and last stage of a figure's text, without content."""

    root: PaperTextRow
    last: PaperTextRow


class LastStage(NamedTuple):
    """The columns of a stage that lists need."""

    id: str
    figure_id: str
    based_on: str | None
    stage: str
    state: str
    truth_sha256: str | None
    file_sha256: str


StageRow = TypeVar("StageRow", PaperTextRow, LastStage)
_IN_SHORT: Any = tuple(getattr(PaperTextRow, name) for name in LastStage._fields)


# --- stages ------------------------------------------------------------------------------------------------------


def newest_root(session: Session, figure_id: str, *, for_update: bool = False) -> PaperTextRow | None:
    """Return the raw stage of a figure's newest text, or None. `for_update` reads it again and locks it."""
    query = select(PaperTextRow).where(PaperTextRow.figure_id == figure_id, PaperTextRow.stage == Stage.RAW.value)
    query = query.order_by(col(PaperTextRow.created_at).desc(), col(PaperTextRow.id).desc()).limit(1)
    if not for_update:
        return session.exec(query.options(_NO_CONTENT)).first()
    return session.exec(query.with_for_update(), execution_options={"populate_existing": True}).first()


def stages_of(session: Session, root: PaperTextRow, *, with_content: bool = False) -> list[PaperTextRow]:
    """Return the stages of a text, from the raw one on."""
    query = select(PaperTextRow).where(PaperTextRow.figure_id == root.figure_id)
    if not with_content:
        query = query.options(_NO_CONTENT)
    after = {row.based_on: row for row in session.exec(query)}
    chain = [root]
    while chain[-1].id in after:
        chain.append(after[chain[-1].id])
    return chain


def heads(session: Session, figure_ids: Iterable[str] | None = None) -> dict[str, TextHead]:
    """Return figure → text head, for figures and papers in use. No content is read."""
    query = _of_located(select(PaperTextRow)).options(_NO_CONTENT)
    if figure_ids is not None:
        query = query.where(among(session, PaperTextRow.figure_id, figure_ids))
    by_figure = defaultdict[str, list[PaperTextRow]](list)
    for row in session.exec(query):
        by_figure[row.figure_id].append(row)
    return {figure_id: TextHead(*_ends(rows)) for figure_id, rows in by_figure.items()}


def last_stages(session: Session) -> dict[str, LastStage]:
    """Return figure → last stage of its text, for figures and papers in use."""
    by_figure = defaultdict[str, list[LastStage]](list)
    for values in session.execute(_of_located(select(*_IN_SHORT))):
        row = LastStage(*values)
        by_figure[row.figure_id].append(row)
    return {figure_id: _ends(rows)[1] for figure_id, rows in by_figure.items()}


def _of_located(query: Any) -> Any:
    return (
        query.select_from(PaperTextRow)
        .join(FigureRow, col(FigureRow.id) == col(PaperTextRow.figure_id))
        .join(PaperRow, col(PaperRow.id) == col(FigureRow.paper_id))
        .where(is_located())
        .order_by(col(PaperTextRow.created_at), col(PaperTextRow.id))
    )


def _ends(rows: Sequence[StageRow]) -> tuple[StageRow, StageRow]:
    """Return the first and the last stage of a figure's newest text."""
    after = {row.based_on: row for row in rows if row.based_on}
    root = last = [row for row in rows if row.stage == Stage.RAW][-1]
    while last.id in after:
        last = after[last.id]
    return root, last


def text_row(session: Session, text_id: str) -> PaperTextRow:
    row = session.get(PaperTextRow, text_id)
    if row is None:
        raise Missing("There is no such text in this study.")
    return row


def with_hash(session: Session, sha256: str) -> tuple[PaperTextRow, PaperTextRow | None] | None:
    """Return the stage whose text, or text before its changes, has this hash, and the stage it is based on."""
    known = or_(col(PaperTextRow.sha256) == sha256, col(PaperTextRow.before_sha256) == sha256)
    row = session.exec(select(PaperTextRow).where(known).order_by(col(PaperTextRow.id).desc()).limit(1)).first()
    return None if row is None else (row, session.get(PaperTextRow, row.based_on) if row.based_on else None)


def insert_stage(session: Session, row: PaperTextRow, changes: Iterable[TextChange] = ()) -> None:
    session.add(row)
    session.flush()
    session.add_all(_change_row(row.id, change) for change in changes)
    session.flush()


def touch(session: Session, root: PaperTextRow) -> int:
    """Increment the version of a text at its locked first row; return the new version."""
    flag_modified(root, "state")
    session.add(root)
    session.flush()
    return root.version


def acts_on(session: Session, figure_id: str) -> list[tuple[int, str]]:
    """Return (sequence number, name) of every act on a figure's text, in order."""
    query = select(EventRow.seq, EventRow.act).where(EventRow.subject_id == figure_id, EventRow.subject_kind == "text")
    return [(seq, act) for seq, act in session.exec(query.order_by(col(EventRow.seq))) if seq is not None]


# --- changes -----------------------------------------------------------------------------------------------------


def changes_of(session: Session, text_ids: Iterable[str]) -> dict[str, list[TextChange]]:
    """Return stage → its changes by number; stages without changes are missing."""
    query = select(PaperTextChangeRow.text_id, *_CHANGE).where(among(session, PaperTextChangeRow.text_id, text_ids))
    changes = defaultdict[str, list[TextChange]](list)
    for row in session.execute(query.order_by(col(PaperTextChangeRow.text_id), col(PaperTextChangeRow.number))):
        change = TextChange(
            number=row.number,
            start=row.start,
            end=row.end,
            was=row.was,
            replacement=row.replacement,
            kind=row.kind,
            page=row.page,
            flagged=tuple(row.flagged),
            is_rejected=row.is_rejected,
            reason=row.reason,
            ruled_by=row.ruled_by,
        )
        changes[row.text_id].append(change)
    return dict(changes)


def keep_changes(session: Session, text_id: str, before: Sequence[TextChange], after: Sequence[TextChange]) -> None:
    """Write the changes of a stage that are new or differ."""
    known = {each.number: each for each in before}
    for change in after:
        if known.get(change.number) != change:
            session.merge(_change_row(text_id, change))
    session.flush()


def _change_row(text_id: str, change: TextChange) -> PaperTextChangeRow:
    return PaperTextChangeRow(
        text_id=text_id,
        number=change.number,
        start=change.start,
        end=change.end,
        was=change.was,
        replacement=change.replacement,
        kind=change.kind,
        page=change.page,
        flagged=list(change.flagged),
        is_rejected=change.is_rejected,
        reason=change.reason,
        ruled_by=change.ruled_by,
    )


# --- levels ------------------------------------------------------------------------------------------------------


def keep_levels(
    session: Session,
    text_sha256: str,
    figure_id: str,
    rater: str,
    levels: Mapping[str, ExplicitnessLevel | None],
    now: datetime,
) -> None:
    """Set a rater's levels of a text by node; None deletes one."""
    for node, level in levels.items():
        key = (text_sha256, figure_id, rater, node)
        row = session.get(NodeLevelRow, key)
        if level is None:
            if row is not None:
                session.delete(row)
            continue
        row = row or NodeLevelRow(
            text_sha256=text_sha256, figure_id=figure_id, rater=rater, node=node, level=0, set_at=now
        )
        row.level, row.set_at = int(level), now
        session.add(row)
    session.flush()


def forget_levels(session: Session, text_sha256: str, figure_id: str, rater: str) -> None:
    conditions: Any = (
        col(NodeLevelRow.text_sha256) == text_sha256,
        col(NodeLevelRow.figure_id) == figure_id,
        col(NodeLevelRow.rater) == rater,
    )
    session.execute(delete(NodeLevelRow).where(*conditions))


def levels_of(session: Session, figure_id: str, text_sha256: str) -> dict[str, dict[str, ExplicitnessLevel]]:
    """Return rater → node → level of one text."""
    return levels_of_texts(session, [text_sha256]).get((figure_id, text_sha256), {})


def levels_of_texts(
    session: Session, text_sha256s: Iterable[str]
) -> dict[tuple[str, str], dict[str, dict[str, ExplicitnessLevel]]]:
    """Return (figure, text) → rater → node → level."""
    query = select(NodeLevelRow).where(among(session, NodeLevelRow.text_sha256, text_sha256s))
    levels: dict[tuple[str, str], dict[str, dict[str, ExplicitnessLevel]]] = {}
    for row in session.exec(query.order_by(col(NodeLevelRow.rater), col(NodeLevelRow.node))):
        of_text = levels.setdefault((row.figure_id, row.text_sha256), {})
        of_text.setdefault(row.rater, {})[row.node] = ExplicitnessLevel(row.level)
    return levels
