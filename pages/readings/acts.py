"""What a tab holds of a graph that is built from a text, and the acts of its desk handed to the service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from components.desk.outbox import Act
from components.desk.tab import DeskTab, tab_of
from components.transcription.acts import read_transcription_act
from core.graphs.record import GraphRecord
from core.people import Receipt, Viewer
from pages.transcription.applying import applied
from pages.work_queue.screens import screen_of
from services.readings.reading import TextReading
from services.readings.work_kind import TEXT_GRAPHS

PAGE = "readings"
SCREEN = screen_of(PAGE, "reading", TEXT_GRAPHS)


@dataclass(kw_only=True)
class ReadingTab(DeskTab[GraphRecord]):
    """What this tab remembers of one graph. `work` is what was last read of it; `notices` say what became of typed
    lines."""

    work: TextReading
    notices: tuple[str, ...] = ()


def held_of(work: TextReading) -> ReadingTab:
    """What this tab holds; `work` when it is first opened."""
    return tab_of(PAGE, work.assignment_id, lambda: ReadingTab(seen=work.version, shown=work.record, work=work))


def apply(assignment_id: str, held: ReadingTab, viewer: Viewer, act: Act, /, **to: Any) -> Receipt | None:
    """Hand an act of the desk to its service."""
    receipt, held.notices = applied(viewer, assignment_id, read_transcription_act(act), **to)
    return receipt
