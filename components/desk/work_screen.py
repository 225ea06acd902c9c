"""Parts of the screens of a kind of work: the next subject, the viewer's claims, skip and resume, queue settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from components import shell, state
from components.desk.tab import DeskTab, QueueTab, desk_key, tab_key
from components.widgets import acts
from components.widgets.work_list import WorkLine, thumbnail, work_list
from core.errors import EdgewiseError, SignedOut, StoreUnavailable
from core.people import Receipt, Viewer
from core.transcription.queue import OwnLine, QueueCounts

STATES = {"open": "Unfinished", "lapsed": "Expired", "skipped": "Skipped", "submitted": "Submitted"}


Line = TypeVar("Line", bound=OwnLine)
Chosen = TypeVar("Chosen")


@dataclass(frozen=True, slots=True)
class LineWords:
    """The words of a line in the viewer's list: `progress` only before it is submitted, `reason` once it is skipped."""

    title: str
    detail: str
    progress: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkScreen:
    """The screen of a kind of work. The functions of its queue get the viewer first and the id of the act last."""

    page: str  # prefix of its keys
    param: str  # parameter of the link that names the open assignment
    subject: str  # what its claims are on
    claim: Callable[[Viewer, str], Receipt]
    resume: Callable[[Viewer, str, str], Receipt]
    skip: Callable[[Viewer, str, str, int, str], Receipt]
    count: Callable[[Viewer], QueueCounts]

    def key(self, name: str) -> str:
        return state.key(self.page, name)

    def leave(self) -> None:
        """Return to the list and forget the state of the work."""
        state.write_param(self.param, "")
        state.forget(self.page)

    def open(self, assignment_id: str) -> None:
        state.write_param(self.param, assignment_id)


# --- next subject ------------------------------------------------------------------------------------------------


def next_card(
    viewer: Viewer,
    screen: WorkScreen,
    words: tuple[str, str],
    verb: str,
    *,
    opens: str = "",
    above: str = "",
    picture: str = "",
    below: Callable[[], None] | None = None,
) -> None:
    """Draw a card with a title, a caption, and the button that claims the next subject; without a verb nothing is free.
    `opens`: the viewer's claim that the button opens instead; `below` draws more below the words."""
    show_failure(screen)
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=screen.key("card")):
        if picture:
            thumbnail(picture)
        with st.container(gap=None, width="stretch"):
            if above:
                st.caption(above)
            st.markdown(f"**{shell.escaped(words[0])}**")
            if words[1]:
                st.caption(shell.escaped(words[1]))
            if below is not None:
                below()
        if verb:
            name = screen.key("take")
            args = (viewer, screen, name, state.act_id(name), opens)
            st.button(verb, type="primary", key=state.act_key(name), on_click=_claim, args=args)


def show_failure(screen: WorkScreen) -> None:
    """Show why the last press of the card's button claimed nothing."""
    if failed := st.session_state.pop(screen.key("failed"), ""):
        st.error(shell.escaped(failed))


def _claim(viewer: Viewer, screen: WorkScreen, name: str, act_id: str, opens: str) -> None:
    """Claim and open the next subject, as a callback: it may differ from the one that was shown."""
    try:
        opened = opens or screen.claim(viewer, act_id).subject_id
    except EdgewiseError as error:
        st.session_state[screen.key("failed")] = str(error)
        return
    state.spend(name)
    screen.open(opened)


def open_next(viewer: Viewer, screen: WorkScreen, assignment_id: str, *forget: str) -> None:
    """Claim and open the next subject once the desk asks for it; without any, show the list.

    `forget`: other parameters of the link that are about the last subject."""
    tab: QueueTab[Any] = st.session_state[tab_key(screen.page, assignment_id)]
    if not tab.asks(desk_key(screen.page, assignment_id), "next"):
        return
    for name in forget:
        state.write_param(name, "")
    if not (tab.waits.free or tab.waits.unfinished):
        state.write_param(screen.param, "")
        return
    act = screen.key(f"after.{assignment_id}")
    try:
        receipt = screen.claim(viewer, state.act_id(act))
    except EdgewiseError as error:
        tab.trouble = str(error)
        if not isinstance(error, SignedOut | StoreUnavailable):
            tab.waits = screen.count(viewer)  # others took what was free
        return
    state.spend(act)
    screen.open(receipt.subject_id)


# --- own claims -------------------------------------------------------------------------------------------------


def own_list(
    viewer: Viewer,
    screen: WorkScreen,
    title: str,
    own_lines: Sequence[Line],
    words: Callable[[Line], LineWords],
    *,
    part: str = "",
    empty: str = "",
) -> None:
    """List the viewer's claims, the newest first; skipped or expired ones are resumed before they open.

    Without a claim nothing is drawn, or `empty`."""
    if not (own_lines or empty):
        return
    if title:
        st.subheader(title, anchor=False)
    lines = [_work_line(line, words(line)) for line in own_lines]
    by_id = {line.assignment_id: line for line in own_lines}
    work_list(
        lines, key=screen.key(f"mine{part}"), on_choose=lambda chosen: _open(viewer, screen, by_id[chosen]), empty=empty
    )


def _work_line(line: OwnLine, words: LineWords) -> WorkLine:
    when = f"{'submitted' if line.submitted_at else 'taken'} {shell.moment(line.submitted_at or line.claimed_at)}"
    is_submitted = line.state == "submitted"
    word = STATES[line.state].lower() + (f": {words.reason}" if words.reason and line.state == "skipped" else "")
    return WorkLine(
        id=line.assignment_id,
        title=words.title,
        detail=words.detail,
        state="" if is_submitted else word,
        counts=when if is_submitted or not words.progress else f"{words.progress} · {when}",
        comment="",
        verb={"open": "Continue", "submitted": "Open"}.get(line.state, "Resume"),
    )


def _open(viewer: Viewer, screen: WorkScreen, line: OwnLine) -> None:
    if line.state in ("skipped", "lapsed"):
        resume_own(viewer, screen, line.assignment_id)
    screen.open(line.assignment_id)


def resume_own(viewer: Viewer, screen: WorkScreen, assignment_id: str) -> None:
    """Resume a claim, while its subject is free; the tab's state of it is read again."""
    name = screen.key(f"resume.{assignment_id}")
    screen.resume(viewer, assignment_id, state.act_id(name))
    state.spend(name)
    st.session_state.pop(tab_key(screen.page, assignment_id), None)


def resume_button(viewer: Viewer, screen: WorkScreen, assignment_id: str, shown: str) -> None:
    """Draw the button that resumes a skipped or expired claim. `shown` is its state."""
    if shown in ("skipped", "lapsed") and st.button("Resume", key=screen.key("again")):
        resume_own(viewer, screen, assignment_id)
        st.rerun()


def can_open(screen: WorkScreen, check: Callable[[], object], back: str) -> bool:
    """Return True if the link leads somewhere; if not, show why, with a button that goes back."""
    is_open = False
    with shell.boundary():
        check()
        is_open = True
    if not is_open:
        st.button(back, key=screen.key("all"), on_click=screen.leave)
    return is_open


# --- on a desk ---------------------------------------------------------------------------------------------------


def skip_button(viewer: Viewer, screen: WorkScreen, assignment_id: str, tab: DeskTab[Any]) -> None:
    """Skip the open claim, with a reason; then the list is shown."""
    form = screen.key(f"skip.{assignment_id}")
    with st.popover("Skip", key=screen.key("skip")):
        reason = st.text_input("Reason", key=state.act_key(form, "reason"))
        if st.button(f"Skip {screen.subject}", key=state.act_key(form, "submit"), disabled=not reason.strip()):
            with tab.turn:
                acts.keep(
                    screen.page,
                    form,
                    lambda act_id: screen.skip(viewer, assignment_id, reason, tab.seen, act_id),
                    then=screen.leave,
                )


def stale_box(screen: WorkScreen, tab: DeskTab[Any], thing: str, between: Callable[[], None] | None = None) -> None:
    """Draw the choice between this tab's acts and the stored ones, after another tab changed the work. `thing`:
    "labels"."""
    with st.container(border=True, key=screen.key("stale")):
        reassurance = f"Your {thing} are kept in this tab."
        st.markdown(f"**Another tab changed these {thing}. Nothing was overwritten. {reassurance}**")
        if between is not None:
            between()
        with st.container(horizontal=True):
            st.button(f"Keep my {thing}", type="primary", key=screen.key("mine"), on_click=tab.use_newer)
            left_out = f"Not saved: you chose the stored {thing}"
            st.button(f"Use stored {thing}", key=screen.key("newer"), on_click=tab.use_newer, args=(left_out,))


# --- settings ----------------------------------------------------------------------------------------------------


def settings_form(
    page: str,
    form: str,
    version: int,
    widgets: Callable[[], Chosen],
    save: Callable[..., Receipt],
    how: str,
    *,
    verb: str = "Save settings",
    preview: Callable[[Chosen], None] | None = None,
) -> None:
    """Draw settings of a queue, which apply once saved. `widgets` returns the chosen values, `save` gets them with the
    version that the user saw; `how` explains them, and `preview` draws their effect at the side."""
    with shell.boundary(partial(state.spend, form)):
        seen = state.seen(form, version)
        left, right = st.columns([3, 2], gap="large") if preview is not None else (st.container(), None)
        with left:
            chosen = widgets()
            is_saved = st.button(verb, key=state.act_key(form, "save"))
        if preview is not None and right is not None:
            with right:
                preview(chosen)
        with st.expander("What these settings do", key=state.key(form, "how")):
            st.markdown(how)
        if is_saved:
            acts.keep(
                page,
                form,
                lambda act_id: save(chosen, seen=seen, act_id=act_id),
                reload=partial(state.spend, form),
            )
