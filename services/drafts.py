"""Typed text that has not become an act yet: kept per person and place, never counted as work."""

from __future__ import annotations

from core.people import May, Viewer
from services.acting import consulting
from services.study import current_study
from store import documents as stored

LONGEST = 200_000


def draft(viewer: Viewer, key: str) -> str:
    """The kept text, or an empty string."""
    with consulting(viewer, May.READ_STUDY) as r:
        row = stored.draft(r.session, r.viewer.person_id, key)
        return row.text if row is not None else ""


def keep_draft(viewer: Viewer, key: str, text: str) -> None:
    """Keep text under a key of this person; empty text forgets it."""
    with consulting(viewer, May.READ_STUDY) as r:
        person_id, now = r.viewer.person_id, r.now
    with current_study().store.writing() as session:
        stored.keep_draft(session, person_id, key[:200], text[:LONGEST], now)
