"""Typed text that is not an act yet: stored per person and place, never counted as work.

A draft is loaded automatically, so one that breaks its page would break it forever. A page therefore records the start
and the end of reading a draft. One that broke its page twice is archived: it is offered as a file until its writer
discards it, and not loaded a third time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from core.people import Permission, Viewer
from services.acting import consulting
from services.study import current_study
from store import documents as stored

LONGEST = 200_000
MOST_TRIES = 2  # failed attempts to read one text, after which it is archived
_TRIED, _PUT_AWAY = "/tried", "/put away/"


@dataclass(frozen=True, slots=True)
class DraftArchived:
    """An archived draft, which broke its page. `key` identifies it."""

    key: str
    text: str
    at: datetime


def draft(viewer: Viewer, key: str) -> str:
    """Return the stored text, or "". Archives a draft that broke its page twice, and returns ""."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        person_id, now = r.viewer.person_id, r.now
        row = stored.draft(r.session, person_id, key)
        tried = stored.draft(r.session, person_id, key + _TRIED)
    if row is None:
        return ""
    if tried is None or _tries(tried.text, row.text) < MOST_TRIES:
        return row.text
    with current_study().store.writing() as session:
        stored.keep_draft(session, person_id, f"{key}{_PUT_AWAY}{_mark(row.text)}", row.text, now)
        stored.keep_draft(session, person_id, key, "", now)
        stored.keep_draft(session, person_id, key + _TRIED, "", now)
    return ""


def keep_draft(viewer: Viewer, key: str, text: str) -> None:
    """Store text under a key of this person; empty text deletes it."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        person_id, now = r.viewer.person_id, r.now
    with current_study().store.writing() as session:
        stored.keep_draft(session, person_id, key[:200], text[:LONGEST], now)


def forget_draft(viewer: Viewer, key: str, text: str) -> None:
    """Delete the draft under a key of this person if it is still this text; text of another tab stays."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        person_id = r.viewer.person_id
    with current_study().store.writing() as session:
        stored.forget_draft(session, person_id, key[:200], text[:LONGEST])


def begin_try(viewer: Viewer, key: str, text: str) -> None:
    with consulting(viewer, Permission.READ_STUDY) as r:
        person_id, now = r.viewer.person_id, r.now
    text = text[:LONGEST]
    with current_study().store.writing() as session:
        tried = stored.draft(session, person_id, key + _TRIED)
        tries = 1 + (_tries(tried.text, text) if tried is not None else 0)
        stored.keep_draft(session, person_id, key + _TRIED, f"{tries} {_mark(text)}", now)


def came_through(viewer: Viewer, keys: Iterable[str]) -> None:
    """Record that the page read its drafts of these keys and was displayed."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        person_id, now = r.viewer.person_id, r.now
    with current_study().store.writing() as session:
        for key in keys:
            stored.keep_draft(session, person_id, key + _TRIED, "", now)


def archived_texts(viewer: Viewer, key: str) -> tuple[DraftArchived, ...]:
    """Return the archived texts of this key, oldest first."""
    with consulting(viewer, Permission.READ_STUDY) as r:
        rows = stored.drafts_under(r.session, r.viewer.person_id, key + _PUT_AWAY)
        return tuple(DraftArchived(row.key, row.text, row.saved_at) for row in rows)


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _tries(note: str, text: str) -> int:
    number, _, mark = note.partition(" ")
    return int(number) if mark == _mark(text) else 0
