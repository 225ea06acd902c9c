"""Name of the study, given by the owner."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import BadInput, Conflict
from core.people import Permission, Receipt, Viewer
from services.acting import ReadContext, Writing, consulting, perform
from store import settings as stored

LONGEST = 80


@dataclass(frozen=True, slots=True)
class StudyName:
    name: str  # that of the study's file until it is named
    version: int  # 0: never named


def study_name(viewer: Viewer) -> StudyName:
    with consulting(viewer, Permission.READ_STUDY) as r:
        return _name_in(r)


def rename(viewer: Viewer, name: str, *, seen: int, act_id: str) -> Receipt:
    """Give the study a name of 1 to `LONGEST` characters. Raises BadInput, Conflict after version `seen`."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST:
        raise BadInput(f"The name of the study has {len(name)} characters; it must have 1 to {LONGEST}.")

    def act(w: Writing) -> Receipt:
        before = _name_in(w)
        if before.version != seen:
            raise Conflict("Someone has renamed the study since you opened this.", seen=seen, found=before.version)
        row = stored.set_setting(w.session, stored.NAME, name)
        payload = {"before": before.name, "after": name}
        return w.record("study.rename", "setting", stored.NAME, version=row.version, payload=payload)

    return perform(viewer, Permission.MANAGE, act_id, act)


def _name_in(r: ReadContext) -> StudyName:
    row = stored.setting_row(r.session, stored.NAME)
    return StudyName(r.study.name, 0) if row is None else StudyName(str(row.value), row.version)
