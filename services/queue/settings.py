"""How many people work on each subject of the queue, and how long a claim lasts: the study's settings."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Conflict
from core.people import May, Receipt, Viewer
from core.transcription.queue import Overlap
from services.acting import Writing, consulting, perform
from store import settings as stored

KEY = "queue"
MOST_PEOPLE = 50
LARGEST_SEED = 2**31 - 1
MOST_HOURS = 24 * 365


@dataclass(frozen=True, slots=True)
class QueueSettings:
    """`overlap` people transcribe each figure of the `share` (0-1) that `seed` draws; the rest is done by one. A claim
    on which nothing was drawn for `idle_hours` lapses. `version` 0: never saved."""

    overlap: int = 2
    share: float = 1.0
    seed: int = 1
    idle_hours: int = 72
    version: int = 0

    @property
    def rule(self) -> Overlap:
        return Overlap(self.overlap, self.share, self.seed)

    @property
    def idle(self) -> timedelta:
        return timedelta(hours=self.idle_hours)


def settings(viewer: Viewer) -> QueueSettings:
    """What stands now."""
    with consulting(viewer, May.ASSIGN) as r:
        return settings_in(r.session)


def save_settings(viewer: Viewer, wanted: QueueSettings, *, seen: int, act_id: str) -> Receipt:
    """Set what holds from now on; `wanted.version` is not read. Nobody who has a place loses it.

    Raises BadInput for a number out of its range, Conflict after version `seen`.
    """
    _check(wanted)

    def act(w: Writing) -> Receipt:
        before = settings_in(w.session)
        if before.version != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=before.version)
        value = _plain(wanted)
        row = stored.set_setting(w.session, KEY, value)
        payload = {"before": _plain(before), "after": value}
        return w.record("queue.settings", "setting", KEY, version=row.version, payload=payload)

    return perform(viewer, May.ASSIGN, act_id, act)


def settings_in(session: Session) -> QueueSettings:
    """The settings inside a caller's session."""
    row = stored.setting_row(session, KEY)
    if row is None:
        return QueueSettings()
    kept: dict[str, Any] = row.value
    return QueueSettings(kept["overlap"], kept["share"], kept["seed"], kept["idle_hours"], row.version)


def _plain(settings: QueueSettings) -> dict[str, Any]:
    return {
        "overlap": settings.overlap,
        "share": float(settings.share),
        "seed": settings.seed,
        "idle_hours": settings.idle_hours,
    }


def check_whole(what: str, number: object, least: int, most: int) -> None:
    """Raises BadInput unless `number` is a whole number from `least` to `most`."""
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        raise BadInput(f"{what} is {number}; it must be a whole number from {least:,} to {most:,}.")


def _check(wanted: QueueSettings) -> None:
    check_whole("The number of annotators per figure", wanted.overlap, 1, MOST_PEOPLE)
    check_whole("The seed", wanted.seed, 0, LARGEST_SEED)
    check_whole("The number of hours after which idle claims expire", wanted.idle_hours, 1, MOST_HOURS)
    if not (math.isfinite(wanted.share) and 0 <= wanted.share <= 1):
        raise BadInput(f"The double-annotated share is {wanted.share}; it must lie between 0 and 1.")
