"""Settings of texts: limits of the guards, and the number of people who label a text."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Conflict
from core.people import Permission, Receipt, Viewer
from core.texts.changes import LARGEST_SHARE
from core.texts.word_loss import INVENTED_SHARE, LOST_SHARE
from core.transcription.queue import Overlap
from services.acting import Writing, consulting, perform
from services.queue.settings import MOST_HOURS, MOST_PEOPLE, check_whole
from store import settings as stored

KEY = "texts"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSettings:
    """Settings of texts. Shares are 0.0 to 1.0."""

    lost_share: float = LOST_SHARE  # of a section's words
    invented_share: float = INVENTED_SHARE  # of a section's words
    largest_share: float = LARGEST_SHARE  # of the words, that one round may remove
    overlap: int = 2  # people who label each text
    idle_hours: int = 72  # until a claim without a label expires
    version: int = 0  # 0: never saved

    @property
    def rule(self) -> Overlap:
        """Number of people who label a text."""
        return Overlap(self.overlap, 1.0, 1)

    @property
    def idle(self) -> timedelta:
        """Time without an act after which a claim expires."""
        return timedelta(hours=self.idle_hours)


def settings(viewer: Viewer) -> TextSettings:
    with consulting(viewer, Permission.CURATE) as r:
        return settings_in(r.session)


def save_settings(viewer: Viewer, new: TextSettings, *, seen: int, act_id: str) -> Receipt:
    """Save the settings; `new.version` is ignored. Ready texts remain ready. Raises BadInput for a number out of range,
    Conflict after version `seen`."""
    check_whole("The number of people per text", new.overlap, 1, MOST_PEOPLE)
    check_whole("The number of hours after which idle claims expire", new.idle_hours, 1, MOST_HOURS)
    shares = {
        "The share of words that a section may lose": new.lost_share,
        "The share of words that a section may invent": new.invented_share,
        "The share of words that a round may take out": new.largest_share,
    }
    for what, share in shares.items():
        if isinstance(share, bool) or not (math.isfinite(share) and 0 <= share <= 1):
            raise BadInput(f"{what} is {share}; it must lie between 0 and 1.")

    def act(w: Writing) -> Receipt:
        before = settings_in(w.session)
        if before.version != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=before.version)
        row = stored.set_setting(w.session, KEY, _plain(new))
        payload = {"before": _plain(before), "after": _plain(new)}
        return w.record("text.settings", "setting", KEY, version=row.version, payload=payload)

    return perform(viewer, Permission.CURATE, act_id, act)


def settings_in(session: Session) -> TextSettings:
    row = stored.setting_row(session, KEY)
    return TextSettings() if row is None else TextSettings(**row.value, version=row.version)


def _plain(settings: TextSettings) -> dict[str, Any]:
    plain = asdict(settings)
    del plain["version"]
    return plain
