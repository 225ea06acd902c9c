"""Acts on the People page; the receipt is shown after the rerun."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components import state
from components.widgets import acts
from core.people import Receipt

PAGE = "people"


def keep(form: str, act: Callable[[str], Receipt]) -> None:
    """Perform a form's act and rerun the page. Errors are shown by the caller."""
    acts.note(PAGE, act(state.act_id(form)))
    state.spend(form)
    st.rerun()


def receipt() -> Receipt | None:
    return acts.last_receipt(PAGE)


def reload() -> None:
    """Clear the page's state, so that it is read from the store again."""
    state.forget(state.key(PAGE, ""))
