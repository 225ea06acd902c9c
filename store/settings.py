"""The study's own settings, one row a key, and the secret that its links are derived from."""

from __future__ import annotations

import secrets
from typing import Any

from sqlmodel import Session

from core.errors import StoreTrouble
from store.tables import SettingRow

OF_NEW_STUDIES: dict[str, Any] = {"late_voice": {"on": True}}
"""Off where there is no such row: a study that is under way goes on as it began."""


def setting(session: Session, key: str, default: Any = None) -> Any:
    row = session.get(SettingRow, key)
    return default if row is None else row.value


def set_setting(session: Session, key: str, value: Any) -> SettingRow:
    row = session.get(SettingRow, key) or SettingRow(key=key, value=value)
    row.value = value
    session.add(row)
    session.flush()
    return row


def ensure_secret(session: Session) -> None:
    """Give a new study its secret, and the settings that studies of before do without; called once when the study is
    opened."""
    if setting(session, "secret") is None:
        set_setting(session, "secret", secrets.token_hex(32))
        for key, value in OF_NEW_STUDIES.items():
            set_setting(session, key, value)


def secret(session: Session) -> str:
    found = setting(session, "secret")
    if not isinstance(found, str):
        raise StoreTrouble("The study has no secret; open it once with edgewise.py init.")
    return found
