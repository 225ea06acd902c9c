"""State of a graph built from a text in a tab, and dispatch of desk acts to the service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from components.desk.posting.acts import Act
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
    """State of one graph in this tab; `work` was read last, `notices` report on typed lines."""

    work: TextReading
    notices: tuple[str, ...] = ()


def held_of(work: TextReading) -> ReadingTab:
    """Return this tab's state of a graph; `work` initialises it."""
    return tab_of(PAGE, work.assignment_id, lambda: ReadingTab(seen=work.version, shown=work.record, work=work))


def apply(assignment_id: str, tab: ReadingTab, viewer: Viewer, act: Act, /, **to: Any) -> Receipt | None:
    receipt, tab.notices = applied(viewer, assignment_id, read_transcription_act(act), **to)
    return receipt
