"""Typed text that has not become an act yet: kept per person and place, never counted as work.

A draft comes back by itself, so one that breaks its page would break it for ever. Before a page reads a draft it says
so here, and says so again when it has come through; a draft that broke its page twice is put away: it is offered as a
file until its writer discards it, and not loaded a third time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from core.people import May, Viewer
from services.acting import consulting
from services.study import current_study
from store import documents as stored

LONGEST = 200_000
MOST_TRIES = 2
"""Tries to read one text that no page came through, after which it is put away."""
_TRIED, _PUT_AWAY = "/tried", "/put away/"


@dataclass(frozen=True, slots=True)
class PutAway:
    """A draft that broke its page. `key` names it among those put away."""

    key: str
    text: str
    at: datetime


def draft(viewer: Viewer, key: str) -> str:
    """The kept text, or an empty string; also for one that broke its page twice, which is put away now."""
    with consulting(viewer, May.READ_STUDY) as r:
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
    """Keep text under a key of this person; empty text forgets it."""
    with consulting(viewer, May.READ_STUDY) as r:
        person_id, now = r.viewer.person_id, r.now
    with current_study().store.writing() as session:
        stored.keep_draft(session, person_id, key[:200], text[:LONGEST], now)


def forget_draft(viewer: Viewer, key: str, text: str) -> None:
    """Forget the draft under a key of this person if it still is this text; what another tab typed since stays."""
    with consulting(viewer, May.READ_STUDY) as r:
        person_id = r.viewer.person_id
    with current_study().store.writing() as session:
        stored.forget_draft(session, person_id, key[:200], text[:LONGEST])


def begin_try(viewer: Viewer, key: str, text: str) -> None:
    """Note that a page begins to read this text, whatever then becomes of the page or of the server."""
    with consulting(viewer, May.READ_STUDY) as r:
        person_id, now = r.viewer.person_id, r.now
    text = text[:LONGEST]
    with current_study().store.writing() as session:
        tried = stored.draft(session, person_id, key + _TRIED)
        tries = 1 + (_tries(tried.text, text) if tried is not None else 0)
        stored.keep_draft(session, person_id, key + _TRIED, f"{tries} {_mark(text)}", now)


def came_through(viewer: Viewer, keys: Iterable[str]) -> None:
    """Note that the page read its drafts of these keys and was drawn."""
    with consulting(viewer, May.READ_STUDY) as r:
        person_id, now = r.viewer.person_id, r.now
    with current_study().store.writing() as session:
        for key in keys:
            stored.keep_draft(session, person_id, key + _TRIED, "", now)


def put_away(viewer: Viewer, key: str) -> tuple[PutAway, ...]:
    """The texts of this key that were put away, oldest first."""
    with consulting(viewer, May.READ_STUDY) as r:
        rows = stored.drafts_under(r.session, r.viewer.person_id, key + _PUT_AWAY)
        return tuple(PutAway(row.key, row.text, row.saved_at) for row in rows)


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _tries(note: str, text: str) -> int:
    """How often this very text was tried; a text that was changed since begins anew."""
    number, _, mark = note.partition(" ")
    return int(number) if mark == _mark(text) else 0
