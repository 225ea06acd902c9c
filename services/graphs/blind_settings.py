"""Setting of imported graphs that belong to no figure: hidden from annotators until the owner shows them."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session

from core.errors import BadInput, Conflict
from core.people import Permission, Receipt, Viewer
from services.acting import Writing, consulting, perform
from store import settings as stored
from store.tables import SettingRow

KEY = "blindness"


@dataclass(frozen=True, slots=True)
class BlindSettings:
    shows_imports: bool = False  # those that belong to none of their figures
    version: int = 0  # 0: never saved


def settings(viewer: Viewer) -> BlindSettings:
    with consulting(viewer, Permission.MANAGE) as r:
        return settings_in(r.session)


def save_settings(viewer: Viewer, shows_imports: bool, *, seen: int, act_id: str) -> Receipt:
    """Save the setting. Raises BadInput for anything but True and False, Conflict after version `seen`."""
    if not isinstance(shows_imports, bool):
        raise BadInput(f"Imported graphs are shown or not: found {shows_imports!r}; expected True or False.")

    def act(w: Writing) -> Receipt:
        before = settings_in(w.session)
        if before.version != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=before.version)
        row = stored.set_setting(w.session, KEY, {"shows_imports": shows_imports})
        payload = {"before": {"shows_imports": before.shows_imports}, "after": {"shows_imports": shows_imports}}
        return w.record("blindness.settings", "setting", KEY, version=row.version, payload=payload)

    return perform(viewer, Permission.MANAGE, act_id, act)


def settings_in(session: Session) -> BlindSettings:
    row = session.get(SettingRow, KEY)
    return BlindSettings() if row is None else BlindSettings(bool(row.value["shows_imports"]), row.version)
