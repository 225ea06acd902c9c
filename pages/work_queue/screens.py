"""Screens of the work queue by kind of work."""

from __future__ import annotations

import streamlit as st

from components import state
from components.desk.work_screen import WorkScreen
from services.queue.settings import MOST_HOURS
from services.queue.work import WorkKind, claim_next, resume, skip, waiting


def screen_of(page: str, param: str, kind: WorkKind) -> WorkScreen:
    """Return the screen of a kind of work; `page` and `param` as in `WorkScreen`."""
    return WorkScreen(
        page=page,
        param=param,
        subject=kind.words.subject,
        claim=lambda viewer, act_id: claim_next(viewer, kind, act_id=act_id),
        resume=lambda viewer, work, act_id: resume(viewer, kind, work, act_id=act_id),
        skip=lambda viewer, work, reason, seen, act_id: skip(viewer, kind, work, reason, seen=seen, act_id=act_id),
        count=lambda viewer: waiting(viewer, kind),
    )


def idle_hours(form: str, hours: int) -> int:
    return int(
        st.number_input("Expire idle claims after (hours)", 1, MOST_HOURS, hours, key=state.act_key(form, "hours"))
    )
