"""One act of a form: done once, its error shown in place, and its receipt on the next drawing."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components import shell, state
from core.people import Receipt


def keep(
    scope: str,
    form: str,
    act: Callable[[str], Receipt],
    *,
    reload: Callable[[], None] | None = None,
    then: Callable[[], None] | None = None,
) -> None:
    """Run `act` with the id of the rendered `form`, then `then`, and draw the page again.

    On an error the message appears here and the form stays as typed; `reload` as in `shell.boundary`. The receipt is
    stored under `scope`, for `last_receipt`."""
    with shell.boundary(reload):
        note(scope, act(state.act_id(form)))
        state.spend(form)
        if then is not None:
            then()
        st.rerun()


def note(scope: str, receipt: Receipt) -> None:
    """Store the receipt of a callback's act, for `last_receipt`."""
    st.session_state[_receipt_key(scope)] = receipt


def seen_since(scope: str, form: str, subject_id: str, version: int) -> int:
    """Return the version of the thing when `form` was first drawn, or after the user's own last act on it if that is
    later. A page has several forms on one thing; saving one of them must not make the others stale."""
    seen, own = state.seen(form, version), last_receipt(scope)
    return max(seen, own.version) if own is not None and own.subject_id == subject_id else seen


def last_receipt(scope: str) -> Receipt | None:
    """Return the receipt of the last act within `scope`, in this browser session."""
    receipt: Receipt | None = st.session_state.get(_receipt_key(scope))
    return receipt


def drop_receipt(scope: str) -> None:
    """Forget the last receipt: what was done since has none, and must not seem to have been saved then."""
    st.session_state.pop(_receipt_key(scope), None)


def _receipt_key(scope: str) -> str:
    return state.key(scope, "receipt")
