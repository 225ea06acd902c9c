"""The setting of post-submission reviews: on, unless the study has turned them off."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session

from core.errors import Conflict
from core.people import May, Receipt, Viewer
from services.acting import Writing, consulting, perform
from store import settings as stored
from store.tables import SettingRow

KEY = "late_voice"


@dataclass(frozen=True, slots=True)
class LateSettings:
    """`on`: whoever drew without proposals sees, once they submitted, what the reading holds otherwise, and the
    adjudicator sees the reading beside A and B. `version` 0: never changed."""

    on: bool = True
    version: int = 0


def settings(viewer: Viewer) -> LateSettings:
    """What stands now."""
    with consulting(viewer, May.MANAGE) as r:
        return settings_in(r.session)


def save_settings(viewer: Viewer, wanted: LateSettings, *, seen: int, act_id: str) -> Receipt:
    """Set what holds from now on; `wanted.version` is not read. Who has begun to look goes on.

    Raises Conflict after version `seen`.
    """

    def act(w: Writing) -> Receipt:
        found = settings_in(w.session).version
        if found != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=found)
        value = {"on": bool(wanted.on)}
        row = stored.set_setting(w.session, KEY, value)
        return w.record("late.settings", "setting", KEY, version=row.version, payload={"after": value})

    return perform(viewer, May.MANAGE, act_id, act)


def settings_in(session: Session) -> LateSettings:
    """The settings inside a caller's session."""
    row = session.get(SettingRow, KEY)
    return LateSettings() if row is None else LateSettings(row.value["on"], row.version)
