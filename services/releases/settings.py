"""Owner's setting: which figures' only transcription is their ground truth, without adjudication."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session

from core.errors import BadInput, Conflict
from core.papers.releases import SingleTruths
from core.people import Permission, Receipt, Viewer
from services.acting import Writing, consulting, perform
from store import releases as stored
from store import settings as settings_store


@dataclass(frozen=True, slots=True)
class ReleaseSettings:
    single: SingleTruths = SingleTruths.NEVER
    version: int = 0  # 0: never saved


def settings(viewer: Viewer) -> ReleaseSettings:
    with consulting(viewer, Permission.EXPORT) as r:
        return settings_in(r.session)


def save_settings(viewer: Viewer, single: str, *, seen: int, act_id: str) -> Receipt:
    """Save the setting. Releases that are frozen do not change. Raises BadInput for an unknown value, Conflict after
    version `seen`."""
    if single not in set(SingleTruths):
        expected = ", ".join(SingleTruths)
        raise BadInput(f"Single transcriptions as ground truth: found {single!r}; expected one of {expected}.")

    def act(w: Writing) -> Receipt:
        before = settings_in(w.session)
        if before.version != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=before.version)
        value = {"single": SingleTruths(single).value}
        row = settings_store.set_setting(w.session, stored.SETTING, value)
        payload = {"before": {"single": before.single.value}, "after": value}
        return w.record("release.settings", "setting", stored.SETTING, version=row.version, payload=payload)

    return perform(viewer, Permission.MANAGE, act_id, act)


def settings_in(session: Session) -> ReleaseSettings:
    row = settings_store.setting_row(session, stored.SETTING)
    return ReleaseSettings(stored.single_truths(session), 0 if row is None else row.version)
