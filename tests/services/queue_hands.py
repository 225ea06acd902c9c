"""Hands on the queue that its tests share: take, draw, hand in, look."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from sqlmodel import col, select

from core.people import Viewer
from services.queue import settings
from services.queue.settings import QueueSettings
from services.queue.work import claim_next
from services.study import Study
from services.transcription import queue, reading, transcribing
from services.transcription.queue import QueueLine
from services.transcription.work_kind import FIGURES
from store.tables import AssignmentRow, EventRow, new_id
from tests.services.acts import Act

Figures = Callable[[str], SimpleNamespace]


def act() -> Act:
    return {"act_id": new_id()}


def take(viewer: Viewer, figure: SimpleNamespace) -> str:
    return transcribing.take(viewer, figure.id, **act()).subject_id


def take_next(viewer: Viewer) -> str:
    return claim_next(viewer, FIGURES, **act()).subject_id


def draw(viewer: Viewer, work: str, line: str = "A -> B") -> None:
    seen = reading.transcription(viewer, work).version
    transcribing.add_lines(viewer, work, line, pasted=False, seen=seen, **act())


def hand_in(viewer: Viewer, work: str) -> None:
    draw(viewer, work)
    transcribing.submit(viewer, work, seen=reading.transcription(viewer, work).version, **act())


def settle(viewer: Viewer, **wanted: Any) -> None:
    now = settings.settings(viewer)
    settings.save_settings(viewer, QueueSettings(**wanted), seen=now.version, **act())


def line_of(viewer: Viewer, figure: SimpleNamespace) -> QueueLine:
    return next(line for line in queue.queue_of_study(viewer).lines if line.figure_id == figure.id)


def state_of(viewer: Viewer, work: str) -> str:
    return reading.transcription(viewer, work).state


def stored_state(study: Study, work: str) -> str:
    with study.store.reading() as session:
        return session.get_one(AssignmentRow, work).state


def acts_about(study: Study, work: str) -> list[str]:
    with study.store.reading() as session:
        rows = session.exec(select(EventRow).where(EventRow.subject_id == work).order_by(col(EventRow.seq)))
        return [row.act for row in rows]


def claims_kept(study: Study) -> list[tuple[str, str]]:
    """(figure, person) of every claim that stands."""
    with study.store.reading() as session:
        rows = session.exec(select(AssignmentRow).where(AssignmentRow.state != "abandoned"))
        return [(row.subject_id, row.person_id) for row in rows]
