"""Button that copies the link of the page, which restores what it shows; each person sees in it what their roles
allow."""

from __future__ import annotations

import streamlit as st

from components import state
from components.sources import script, sheets

_copy_link = st.components.v2.component(
    "edgewise_copy_link",
    html="<div data-copy-link></div>",
    css=sheets("widgets/copy_link.css"),
    js=script("widgets/copy_link.js"),
)


def copy_link(page: str) -> None:
    """Draw the button with its receipt. `page`: prefix of keys of the screen, which has one such button."""
    _copy_link(key=state.key(page, "copy"), width="content", height="content")
