"""The study's own settings, one row a key, and the secret that its links are derived from."""

from __future__ import annotations

import secrets
from typing import Any

from sqlmodel import Session

from core.errors import StoreTrouble
from store.tables import SettingRow


def setting_row(session: Session, key: str) -> SettingRow | None:
    """A setting's row, read once in a session: a queue asks for its settings in every function."""
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


def ensure_secret(session: Session) -> None:
    """Give a new study its secret."""
    if setting(session, "secret") is None:
        set_setting(session, "secret", secrets.token_hex(32))


def secret(session: Session) -> str:
    found = setting(session, "secret")
    if not isinstance(found, str):
        raise StoreTrouble("The study has no secret; open it once with edgewise.py init.")
    return found
