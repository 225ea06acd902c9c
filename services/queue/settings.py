"""Settings of the queue: annotators per figure, and the duration of a claim."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Conflict
from core.people import Permission, Receipt, Viewer
from core.transcription.queue import Overlap
from services.acting import Writing, consulting, perform
from store import settings as stored

KEY = "queue"
MOST_PEOPLE = 50
LARGEST_SEED = 2**31 - 1
MOST_HOURS = 24 * 365


@dataclass(frozen=True, slots=True)
class QueueSettings:
    overlap: int = 2  # annotators per figure, for a share of the figures; one for the others
    share: float = 1.0  # 0-1, drawn with `seed`
    seed: int = 1
    idle_hours: int = 72  # without an edit, after which a claim expires
    version: int = 0  # 0: never saved

    @property
    def rule(self) -> Overlap:
        return Overlap(self.overlap, self.share, self.seed)

    @property
    def idle(self) -> timedelta:
        return timedelta(hours=self.idle_hours)


def settings(viewer: Viewer) -> QueueSettings:
    with consulting(viewer, Permission.ASSIGN) as r:
        return settings_in(r.session)


def save_settings(viewer: Viewer, new: QueueSettings, *, seen: int, act_id: str) -> Receipt:
    """Save the settings. Existing claims are unaffected.

    Raises BadInput for a number out of its range, Conflict after version `seen`.
    """
    check_whole("The number of annotators per figure", new.overlap, 1, MOST_PEOPLE)
    check_whole("The seed", new.seed, 0, LARGEST_SEED)
    check_whole("The number of hours after which idle claims expire", new.idle_hours, 1, MOST_HOURS)
    if not (math.isfinite(new.share) and 0 <= new.share <= 1):
        raise BadInput(f"The double-annotated share is {new.share}; it must lie between 0 and 1.")

    def act(w: Writing) -> Receipt:
        before = settings_in(w.session)
        if before.version != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=before.version)
        value = _plain(new)
        row = stored.set_setting(w.session, KEY, value)
        payload = {"before": _plain(before), "after": value}
        return w.record("queue.settings", "setting", KEY, version=row.version, payload=payload)

    return perform(viewer, Permission.ASSIGN, act_id, act)


def settings_in(session: Session) -> QueueSettings:
    row = stored.setting_row(session, KEY)
    if row is None:
        return QueueSettings()
    value: dict[str, Any] = row.value
    return QueueSettings(value["overlap"], value["share"], value["seed"], value["idle_hours"], row.version)


def _plain(settings: QueueSettings) -> dict[str, Any]:
    return {
        "overlap": settings.overlap,
        "share": float(settings.share),
        "seed": settings.seed,
        "idle_hours": settings.idle_hours,
    }


def check_whole(what: str, number: object, least: int, most: int) -> None:
    """Raise BadInput unless `number` is a whole number from `least` to `most`."""
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        raise BadInput(f"{what} is {number}; it must be a whole number from {least:,} to {most:,}.")
