"""Screens of the work queue by kind of work, and the card at the end of a kind."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components import links, shell, state
from components.desk.work_screen import WorkScreen
from core.people import Viewer
from services.overview import next_work
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


def done_card(
    viewer: Viewer,
    page: str,
    done: str,
    hint: str,
    *,
    is_whole_page: bool = True,
    more: Callable[[], None] | None = None,
) -> None:
    """Draw a card on `page` that says what is done, with the button of the viewer's next step; if the whole page is
    done, of the next on another page.

    `hint`: caption if there is none; `more` draws further parts into the card."""
    step = next_work(viewer, page if is_whole_page else "")
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=state.key(page, "done")):
        with st.container(gap=None, width="stretch"):
            st.markdown(f"**{shell.escaped(done)}**")
            parts = (hint,) if step is None else (f"Next for you: {step.sentence}", step.detail)
            st.caption(shell.escaped(" · ".join(filter(None, parts))))
        if more is not None:
            more()
        if step is not None:
            links.page_button("Open", step.page, step.link, key=state.key(page, "done.open"), is_primary=True)
