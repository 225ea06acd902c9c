"""Typed lines that could not be read, stored with their transcription until corrected; never part of the graph."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime

from sqlmodel import Session

from core.errors import BadInput, Refused
from core.graphs.lines.parse import LineFault
from core.people import Viewer
from core.transcription.stored_fault import StoredFault
from core.words import counted
from services.acting import consulting
from services.queue.rights import drawing_right, require_right
from services.study import current_study
from store import assignments
from store import documents as stored
from store.graphs import graphs
from store.tables import AssignmentRow, GraphRow

MOST_FAULTS = 500  # per transcription; all of them are sent to the screen with every act
MOST_CHARACTERS = 50_000  # of all of them together, including suggestions
ONE_A_LINE = "one edge per line, for example: Rain -> Harvest"
INSTEAD = f"Nothing was added. Correct or discard some first, or paste {ONE_A_LINE}"


def stored_faults(session: Session, row: AssignmentRow) -> tuple[StoredFault, ...]:
    draft = stored.draft(session, row.person_id, _key(row.id))
    return tuple(StoredFault(**fault) for fault in json.loads(draft.text)) if draft is not None else ()


def add_faults(session: Session, row: AssignmentRow, faults: Sequence[LineFault], act_id: str, now: datetime) -> None:
    """Store the faults of one act; a line that is stored already moves to the end. Raises BadInput over the limits."""
    again = {fault.text for fault in faults}
    earlier = [fault for fault in stored_faults(session, row) if fault.text not in again]
    if len(earlier) + len(faults) > MOST_FAULTS:
        raise BadInput(
            f"{_unread(faults)} A transcription can keep at most {MOST_FAULTS} faulty lines; {len(earlier):,} are "
            f"already listed. {INSTEAD}"
        )
    waiting = [*earlier, *(StoredFault(**asdict(fault), act_id=act_id) for fault in faults)]
    long = sum(len(fault.text) + len(fault.offer) for fault in waiting)
    if long > MOST_CHARACTERS:
        raise BadInput(
            f"{_unread(faults)} A transcription can keep at most {MOST_CHARACTERS:,} characters of faulty lines and "
            f"their suggestions; with these there would be {long:,}. {INSTEAD}"
        )
    _write(session, row, waiting, now)


def refuse_too_many_faults(faults: Sequence[LineFault]) -> None:
    """Raise BadInput for a text with more faulty lines than can be stored; it was parsed no further."""
    if len(faults) > MOST_FAULTS:
        first = faults[0]
        raise BadInput(
            f"More than {MOST_FAULTS} lines cannot be read, the first being line {first.line}: {first.message} Nothing "
            f"was added. Paste {ONE_A_LINE}"
        )


def forget_fault(session: Session, row: AssignmentRow, text: str, now: datetime) -> None:
    _write(session, row, [fault for fault in stored_faults(session, row) if fault.text != text], now)


@contextmanager
def own_faults(viewer: Viewer, assignment_id: str) -> Iterator[tuple[Session, AssignmentRow, GraphRow, datetime]]:
    """Lock the viewer's own transcription to change its faulty lines, which are not part of its history."""
    with consulting(viewer, drawing_right(viewer)) as r:
        person_id, now = r.viewer.person_id, r.now
    with current_study().store.writing() as session:
        row = assignments.assignment(session, assignment_id)
        require_right(viewer, row)
        if row.person_id != person_id:
            raise Refused("Only its annotator may change a transcription.")
        graph = graphs.graph_row(session, row.graph_id or "", for_update=True)
        session.refresh(row)
        yield session, row, graph, now


def _unread(faults: Sequence[LineFault]) -> str:
    first = faults[0]
    return f"{counted(len(faults), 'line')} cannot be read, the first being line {first.line}: {first.message}"


def _write(session: Session, row: AssignmentRow, faults: Sequence[StoredFault], now: datetime) -> None:
    text = json.dumps([asdict(fault) for fault in faults]) if faults else ""
    stored.keep_draft(session, row.person_id, _key(row.id), text, now)


def _key(assignment_id: str) -> str:
    return f"faults/{assignment_id}"
