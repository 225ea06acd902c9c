"""Drafts that pages load: marked as tried, settled once the page is drawn, archived if loading broke the page.

The tabs of a person share a draft. `keep` and `forget` act on the text of this tab: they do not discard what
another tab typed since. A page that parses a draft calls `load` (or `trying` for typed text) inside `settling`;
`show_archived` shows archived drafts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from components import shell, state
from core.errors import EdgewiseError
from core.people import Viewer
from services import drafts

TRYING = state.key("drafts", "trying")
THROUGH = state.key("drafts", "through")
# Draft key → its text as last read or stored by this tab.
MINE = state.key("drafts", "mine")


def load(viewer: Viewer, key: str) -> str:
    """Load the draft and mark it as tried unless it is empty."""
    text = drafts.draft(viewer, key)
    _marks(MINE)[key] = text
    trying(viewer, key, text)
    return text


def keep(viewer: Viewer, key: str, text: str) -> None:
    """Store the text of this tab; empty text deletes what this tab stored before."""
    if not text:
        forget(viewer, key)
        return
    drafts.keep_draft(viewer, key, text)
    _marks(MINE)[key] = text


def forget(viewer: Viewer, key: str) -> None:
    """Delete the draft unless another tab has changed it since."""
    own_text = _marks(MINE).pop(key, "")
    if own_text:
        drafts.forget_draft(viewer, key, own_text)


def trying(viewer: Viewer, key: str, text: str) -> None:
    """Mark a text as tried, once a session for the same text."""
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    known = (_marks(TRYING).get(key), _marks(THROUGH).get(key))
    if text.strip() and mark not in known:
        drafts.begin_try(viewer, key, text)
        _marks(TRYING)[key] = mark


@contextmanager
def settling(viewer: Viewer) -> Iterator[None]:
    """Settle the drafts of a page drawn to its end or to one of Edgewise's errors.

    A rerun that a click interrupted settles nothing; the next one does.
    """
    faults = shell.faults_met()
    try:
        yield
    except EdgewiseError:
        _settle(viewer)
        raise
    if shell.faults_met() == faults:
        _settle(viewer)


def _settle(viewer: Viewer) -> None:
    tried = _marks(TRYING)
    if tried:
        drafts.came_through(viewer, list(tried))
        _marks(THROUGH).update(tried)
        tried.clear()


def _marks(name: str) -> dict[str, str]:
    marks: dict[str, str] = st.session_state.setdefault(name, {})
    return marks


def show_archived(viewer: Viewer, key: str, filename: str) -> None:
    for number, draft in enumerate(drafts.archived_texts(viewer, key)):
        name = state.key("drafts", f"away.{draft.key}")
        with st.container(border=True, key=name):
            st.markdown(":material/inventory_2: **A draft was set aside**")
            st.caption(
                "This page failed twice while it loaded the draft, so it does not load the draft again. Download it "
                "to keep its text. It stays here until you discard it."
            )
            with st.container(horizontal=True):
                st.download_button(
                    "Download draft",
                    draft.text.encode("utf-8", "replace"),
                    f"{number + 1}-{filename}",
                    "text/plain",
                    key=state.key(name, "download"),
                    icon=":material/download:",
                )
                st.button("Discard draft", key=state.key(name, "discard"), on_click=_discard, args=(viewer, draft.key))


def _discard(viewer: Viewer, key: str) -> None:
    with shell.boundary():
        drafts.keep_draft(viewer, key, "")
