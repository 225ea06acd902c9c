"""Setting of post-submission reviews: on, unless the study has turned them off."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session

from core.errors import Conflict
from core.people import Permission, Receipt, Viewer
from services.acting import Writing, consulting, perform
from store import settings as stored
from store.tables import SettingRow

KEY = "late_voice"


@dataclass(frozen=True, slots=True)
class LateSettings:
    """Setting of the review for annotators without proposals, and of the reading that adjudicators see."""

    on: bool = True
    version: int = 0  # 0: never changed


def settings(viewer: Viewer) -> LateSettings:
    with consulting(viewer, Permission.MANAGE) as r:
        return settings_in(r.session)


def save_settings(viewer: Viewer, new: LateSettings, *, seen: int, act_id: str) -> Receipt:
    """Save the setting; reviews in progress continue. Raises Conflict if it changed after version `seen`."""

    def act(w: Writing) -> Receipt:
        stored_version = settings_in(w.session).version
        if stored_version != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=stored_version)
        value = {"on": bool(new.on)}
        row = stored.set_setting(w.session, KEY, value)
        return w.record("late.settings", "setting", KEY, version=row.version, payload={"after": value})

    return perform(viewer, Permission.MANAGE, act_id, act)


def settings_in(session: Session) -> LateSettings:
    row = session.get(SettingRow, KEY)
    return LateSettings() if row is None else LateSettings(row.value["on"], row.version)
