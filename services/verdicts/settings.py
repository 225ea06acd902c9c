"""Settings of the review of verdicts: size of sheets, people per sheet, and what they see first."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.errors import Conflict
from core.people import Permission, Receipt, Viewer
from core.verdicts.settings import VerdictSettings
from services.acting import Writing, consulting, perform
from services.queue.settings import MOST_HOURS, MOST_PEOPLE, check_whole
from services.runs.judge_exposure import settings_in
from store import settings as stored
from store.runs.reviewed_verdicts import SETTINGS as KEY

MOST_ON_A_SHEET = 50


def settings(viewer: Viewer) -> VerdictSettings:
    with consulting(viewer, Permission.VERDICT) as r:
        return settings_in(r.session)


def save_settings(viewer: Viewer, new: VerdictSettings, *, seen: int, act_id: str) -> Receipt:
    """Save the settings; `new.version` is ignored. Drawn sheets keep their items. Raises BadInput for a number out of
    range, Conflict after version `seen`."""
    check_whole("The number of items of a sheet", new.sheet_size, 1, MOST_ON_A_SHEET)
    check_whole("The number of people per sheet", new.overlap, 1, MOST_PEOPLE)
    check_whole("The number of hours after which idle claims expire", new.idle_hours, 1, MOST_HOURS)
    check_whole("The share of sheets for more than one person (%)", round(100 * new.share), 0, 100)

    def act(w: Writing) -> Receipt:
        before = settings_in(w.session)
        if before.version != seen:
            raise Conflict("Someone has changed these settings since you opened them.", seen=seen, found=before.version)
        row = stored.set_setting(w.session, KEY, _plain(new))
        payload = {"before": _plain(before), "after": _plain(new)}
        return w.record("verdict.settings", "setting", KEY, version=row.version, payload=payload)

    return perform(viewer, Permission.ASSIGN, act_id, act)


def _plain(settings: VerdictSettings) -> dict[str, Any]:
    return {name: value for name, value in asdict(settings).items() if name != "version"}
