"""Buttons that copy: the link of the page, or a text."""

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
    """Draw the button that copies the link of the page, which restores what it shows; each person sees in it what their
    roles allow. `page`: prefix of keys of the screen, which has one such button."""
    data = {
        "label": "Copy link",
        "icon": "link",
        "text": "",
        "copied": "Link copied.",
        "otherwise": "Copy the address at the top of the browser.",
    }
    _copy_link(key=state.key(page, "copy"), data=data, width="content", height="content")


def copy_text(key: str, label: str, text: str) -> None:
    """Draw a button that copies a text, which the page shows too."""
    data = {
        "label": label,
        "icon": "content_copy",
        "text": text,
        "copied": "Copied.",
        "otherwise": "Copy the texts below one by one.",
    }
    _copy_link(key=key, data=data, width="content", height="content")
