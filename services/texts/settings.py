"""What a text may lose and invent, and how many people label how explicit its nodes are: the study's settings."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from sqlmodel import Session

from core.errors import BadInput, Conflict
from core.people import May, Receipt, Viewer
from core.texts.changes import LARGEST_SHARE
from core.texts.kept_words import INVENTED_SHARE, LOST_SHARE
from core.transcription.queue import Overlap
from services.acting import Writing, consulting, perform
from services.queue.settings import MOST_HOURS, MOST_PEOPLE, check_whole
from store import settings as stored

KEY = "texts"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSettings:
    """Shares are 0.0 to 1.0, of a section's words (`lost_share`, `invented_share`) or of what one round may take out
    (`largest_share`). `overlap` people label each text; a claim without a label for `idle_hours` lapses. `version` 0:
    never saved."""

    lost_share: float = LOST_SHARE
    invented_share: float = INVENTED_SHARE
    largest_share: float = LARGEST_SHARE
    overlap: int = 2
    idle_hours: int = 72
    version: int = 0

    @property
    def rule(self) -> Overlap:
        """How many people each text wants."""
        return Overlap(self.overlap, 1.0, 1)

    @property
    def idle(self) -> timedelta:
        """After so long without an act a claim lapses."""
        return timedelta(hours=self.idle_hours)


def settings(viewer: Viewer) -> TextSettings:
    """What stands now."""
    with consulting(viewer, May.CURATE) as r:
        return settings_in(r.session)


def save_settings(viewer: Viewer, wanted: TextSettings, *, seen: int, act_id: str) -> Receipt:
    """Set what holds from now on; `wanted.version` is not read. Texts that are ready stay ready.

    Raises BadInput for a number out of its range, Conflict after version `seen`.
    """
    _check(wanted)

    def act(w: Writing) -> Receipt:
        before = settings_in(w.session)
        if before.version != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=before.version)
        row = stored.set_setting(w.session, KEY, _plain(wanted))
        payload = {"before": _plain(before), "after": _plain(wanted)}
        return w.record("text.settings", "setting", KEY, version=row.version, payload=payload)

    return perform(viewer, May.CURATE, act_id, act)


def settings_in(session: Session) -> TextSettings:
    """The settings inside a caller's session."""
    row = stored.setting_row(session, KEY)
    return TextSettings() if row is None else TextSettings(**row.value, version=row.version)


def _plain(settings: TextSettings) -> dict[str, Any]:
    plain = asdict(settings)
    del plain["version"]
    return plain


def _check(wanted: TextSettings) -> None:
    check_whole("The number of people per text", wanted.overlap, 1, MOST_PEOPLE)
    check_whole("The number of hours after which idle claims expire", wanted.idle_hours, 1, MOST_HOURS)
    shares = {
        "The share of words that a section may lose": wanted.lost_share,
        "The share of words that a section may invent": wanted.invented_share,
        "The share of words that a round may take out": wanted.largest_share,
    }
    for what, share in shares.items():
        if isinstance(share, bool) or not (math.isfinite(share) and 0 <= share <= 1):
            raise BadInput(f"{what} is {share}; it must lie between 0 and 1.")
