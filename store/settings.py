"""Settings of the study, one row per key, and the secret that its links are derived from."""

from __future__ import annotations

import secrets
from typing import Any

from sqlmodel import Session

from core.errors import StoreUnavailable
from store.tables import SettingRow

NAME = "name"


def setting_row(session: Session, key: str) -> SettingRow | None:
    """Return a setting's row, read once per session."""
    known: dict[str, SettingRow | None] = session.info.setdefault("settings", {})
    if key not in known:
        known[key] = session.get(SettingRow, key)
    return known[key]


def setting(session: Session, key: str, default: Any = None) -> Any:
    row = setting_row(session, key)
    return default if row is None else row.value


def set_setting(session: Session, key: str, value: Any) -> SettingRow:
    row = setting_row(session, key) or SettingRow(key=key, value=value)
    row.value = value
    session.add(row)
    session.flush()
    session.info["settings"][key] = row
    return row


def title_in(session: Session) -> str:
    """Return the name that the owner gave the study, "" if none."""
    return str(setting(session, NAME, ""))


def ensure_secret(session: Session) -> None:
    if setting(session, "secret") is None:
        set_setting(session, "secret", secrets.token_hex(32))


def secret(session: Session) -> str:
    value = setting(session, "secret")
    if not isinstance(value, str):
        raise StoreUnavailable("The study has no secret; open it once with edgewise.py init.")
    return value
