"""Actions on a run: pause, resume, retry failed items, cancel, rescore, rename, archive, download."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from core.errors import EdgewiseError
from core.people import Permission, Receipt, Viewer
from core.runs.states import AT_WORK, ItemStatus, RunState
from core.words import counted
from pages.runs.parts import PAGE, SCOPE
from services.runs import acts as run_acts
from services.runs import reading
from services.runs.prompts import PromptsChanged
from services.runs.settings import BudgetSettings
from services.runs.views import RunProgress

FAILED = state.key(PAGE, "act.failed")
DIFFERENCE = state.key(PAGE, "act.difference")
RENAME, BUDGET = state.key(PAGE, "rename"), state.key(PAGE, "budget")
Act = Callable[..., Receipt]


def steer(viewer: Viewer, seen: RunProgress) -> None:
    """Draw the buttons of the run's state.

    With an exhausted budget, a larger budget comes first and resuming second.
    """
    failed = seen.by_status.get(ItemStatus.FAILED, 0)
    goes_on = not seen.would_stop
    stops = f"The run would stop at once. {seen.would_stop}" if seen.would_stop else None
    if seen.state is RunState.WAITING and not seen.is_held:
        _button(
            viewer,
            seen,
            "Try now",
            "try",
            run_acts.try_now,
            ":material/refresh:",
            help_text="Contact the server now instead of after the next pause.",
        )
    if seen.state in AT_WORK:
        _button(viewer, seen, "Pause", "pause", run_acts.pause, ":material/pause:")
    elif seen.state in (RunState.PAUSED, RunState.STOPPED):
        _button(
            viewer,
            seen,
            "Resume",
            "resume",
            run_acts.resume,
            ":material/play_arrow:",
            is_primary=goes_on,
            help_text=stops,
        )
    if failed and (seen.state is RunState.DONE or seen.is_held):
        words = f"Retry {failed:,} failed"
        _button(
            viewer,
            seen,
            words,
            "retry",
            run_acts.retry_failed,
            ":material/replay:",
            is_primary=goes_on,
            help_text=stops,
        )
    if seen.would_stop:
        larger = st.popover("Change budget", icon=":material/savings:", type="primary", key=state.key(PAGE, "larger"))
        with larger, shell.boundary():
            _budget(viewer, seen)


def more(viewer: Viewer, seen: RunProgress) -> None:
    with st.popover("More", icon=":material/more_horiz:", key=state.key(PAGE, "more")), shell.boundary():
        with st.form(state.act_key(RENAME, "form"), border=False):
            title = st.text_input("Title", seen.title, key=state.act_key(RENAME, "title"), max_chars=200)
            if st.form_submit_button("Rename"):
                version = reading.progress(viewer, seen.run_id).version
                acts.keep(
                    SCOPE,
                    RENAME,
                    lambda act_id: run_acts.rename(viewer, seen.run_id, title or "", seen=version, act_id=act_id),
                )
        if seen.state is not RunState.CANCELLED and not seen.would_stop:
            _budget(viewer, seen)
        links.page_button(
            "Reuse settings", "runs", {"show": "new", "like": str(seen.number)}, key=state.key(PAGE, "like")
        )
        if viewer.may(Permission.EXPORT):
            st.link_button(
                "Download run (ZIP)",
                f"/export/run/{seen.run_id}",
                key=state.key(PAGE, "export"),
                help="Every item, attempt, reply and prompt, with a manifest of hashes. A large run takes minutes.",
            )
        if seen.unparsable and seen.state is not RunState.CANCELLED:
            _button(
                viewer,
                seen,
                "Retry unparsable",
                "retry_unparsable",
                run_acts.retry_unparsable,
                help_text=f"Asks {counted(seen.unparsable, 'item')} again whose replies could not be read. Both "
                "replies are stored; tables count these items and can score their first replies.",
            )
        if seen.state not in AT_WORK:
            _button(
                viewer,
                seen,
                "Re-score stored replies",
                "rescore",
                run_acts.rescore,
                help_text="Applies the current parser and scores to the stored replies. No request is sent.",
            )
        if seen.state in (*AT_WORK, RunState.PAUSED, RunState.STOPPED):
            left = seen.by_status.get(ItemStatus.PENDING, 0) + seen.by_status.get(ItemStatus.FAILED, 0)
            st.caption(
                f"Cancelling is final: {counted(left, 'item')} will not be asked. Replies received so far are kept."
            )
            _button(viewer, seen, "Cancel run", "cancel", run_acts.cancel)
        else:
            _archive(viewer, seen)


def _button(
    viewer: Viewer,
    seen: RunProgress,
    words: str,
    name: str,
    act: Act,
    icon: str | None = None,
    *,
    is_primary: bool = False,
    help_text: str | None = None,
) -> None:
    form = state.key(PAGE, f"act.{name}")
    st.button(
        words,
        key=state.act_key(form),
        type="primary" if is_primary else "secondary",
        icon=icon,
        help=help_text,
        on_click=_do,
        args=(viewer, seen.run_id, form, act),
    )


def _do(viewer: Viewer, run_id: str, form: str, act: Act, **further: object) -> None:
    """Perform an act; a callback.

    The worker changes the run every second, which does not affect the act, so the newest version is expected.
    """
    memory = st.session_state
    try:
        version = reading.progress(viewer, run_id).version
        acts.note(SCOPE, act(viewer, run_id, **further, seen=version, act_id=state.act_id(form)))
    except PromptsChanged as error:
        memory[FAILED], memory[DIFFERENCE] = str(error).partition("\n")[0], error.difference
    except EdgewiseError as error:
        memory[FAILED] = str(error)
    else:
        state.spend(form)


def failed() -> str:
    """Return why the last act failed, once."""
    return str(st.session_state.pop(FAILED, ""))


def difference() -> None:
    """Show what changed in the prompts since the run started, once."""
    diff = st.session_state.pop(DIFFERENCE, "")
    if diff:
        st.code(diff, language="diff", wrap_lines=True)


def _budget(viewer: Viewer, seen: RunProgress) -> None:
    with st.form(state.act_key(BUDGET, "form"), border=False):
        st.caption("Budget of the whole run, including what is already spent. Leave a field empty for no budget.")
        dollars, tokens, requests = st.columns(3)
        with dollars:
            usd = st.number_input(
                "Budget ($)",
                0.0,
                1_000_000.0,
                seen.budget.usd,
                step=1.0,
                format="%.2f",
                key=state.act_key(BUDGET, "usd"),
                placeholder="No budget",
            )
        with tokens:
            most = st.number_input(
                "Budget (tokens)",
                1,
                10**12,
                seen.budget.tokens,
                key=state.act_key(BUDGET, "tokens"),
                placeholder="No budget",
            )
        with requests:
            requests_max = st.number_input(
                "Budget (requests)",
                1,
                10**9,
                seen.budget.requests,
                key=state.act_key(BUDGET, "requests"),
                placeholder="No budget",
            )
        if st.form_submit_button("Change budget"):
            version = reading.progress(viewer, seen.run_id).version
            budget = BudgetSettings(
                usd, None if most is None else int(most), None if requests_max is None else int(requests_max)
            )
            acts.keep(
                SCOPE,
                BUDGET,
                lambda act_id: run_acts.set_budget(viewer, seen.run_id, budget, seen=version, act_id=act_id),
            )


def _archive(viewer: Viewer, seen: RunProgress) -> None:
    is_archived = reading.is_archived(viewer, seen.run_id)
    form = state.key(PAGE, "act.archive")
    st.caption("An archived run disappears from lists and filters. Its data are kept, and it can be restored.")
    st.button(
        "Restore" if is_archived else "Archive",
        key=state.act_key(form),
        on_click=_archive_it,
        args=(viewer, seen.run_id, form, not is_archived),
    )


def _archive_it(viewer: Viewer, run_id: str, form: str, is_archived: bool) -> None:
    def act(viewer: Viewer, run_id: str, *, seen: int, act_id: str) -> Receipt:
        return run_acts.archive(viewer, run_id, is_archived, seen=seen, act_id=act_id)

    _do(viewer, run_id, form, act)
