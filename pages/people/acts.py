"""Acts on the people page, answered by their receipt on top of the page drawn again."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components import state
from components.widgets import acts
from core.people import Receipt

PAGE = "people"


def keep(form: str, act: Callable[[str], Receipt]) -> None:
    """Do a form's act, spend its id, and draw the page again from the store. Errors are the caller's to show."""
    acts.note(PAGE, act(state.act_id(form)))
    state.spend(form)
    st.rerun()


def receipt() -> Receipt | None:
    return acts.last_receipt(PAGE)


def reload() -> None:
    """Forget what the page holds, so that it is read from the store again."""
    state.forget(state.key(PAGE, ""))
