"""A person's tab on a transcription, and the acts that its desk posts."""

from __future__ import annotations

from functools import partial
from typing import Any

from components.desk.posting.acts import read_acts
from components.desk.tab import DeskAnswer
from core.people import Viewer
from pages.transcription.acts import TranscriptionTab, apply
from pages.transcription.desk import data
from services.transcription import reading


def opened(viewer: Viewer, work: str) -> TranscriptionTab:
    """Their tab, as the page keeps it; what the figure says is not read."""
    now = reading.transcription(viewer, work)
    held = TranscriptionTab(seen=now.version, shown=now.record, work=now)
    held.serve(viewer, partial(apply, work, held), partial(data, work, held))
    return held


def send(held: TranscriptionTab, viewer: Viewer, *acts: dict[str, Any]) -> DeskAnswer:
    """What the tab answers to acts that this person's desk posts."""
    return held.answer(viewer, read_acts({"acts": list(acts)}))
