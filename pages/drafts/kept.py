"""Drafts that a page reads: tried under a note in the store, settled once the page is drawn, put away if they broke it.

A person's tabs share a draft. `keep` and `forget` are for what this tab typed or read: what was saved or discarded here
takes no text along that another tab typed since.

Every page that parses what it kept calls `load` (or `trying`, for text it was just given) before, and stands in
`settling`; `offer_put_away` shows what was put away.
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
MINE = state.key("drafts", "mine")
"""Key of a draft → its text, as this tab last read or kept it."""


def load(viewer: Viewer, key: str) -> str:
    """The draft, noted as tried if there is one."""
    text = drafts.draft(viewer, key)
    _marks(MINE)[key] = text
    trying(viewer, key, text)
    return text


def keep(viewer: Viewer, key: str, text: str) -> None:
    """Keep what this tab holds now; empty text forgets what it held before."""
    if not text:
        forget(viewer, key)
        return
    drafts.keep_draft(viewer, key, text)
    _marks(MINE)[key] = text


def forget(viewer: Viewer, key: str) -> None:
    """Forget the draft, unless another tab has changed it since."""
    mine = _marks(MINE).pop(key, "")
    if mine:
        drafts.forget_draft(viewer, key, mine)


def trying(viewer: Viewer, key: str, text: str) -> None:
    """Note that the page begins to read this text; once a text, as long as the session lasts."""
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    known = (_marks(TRYING).get(key), _marks(THROUGH).get(key))
    if text.strip() and mark not in known:
        drafts.begin_try(viewer, key, text)
        _marks(TRYING)[key] = mark


@contextmanager
def settling(viewer: Viewer) -> Iterator[None]:
    """Around a page: if it is drawn to its end, or ends in one of our sentences, its drafts have come through.

    A run that a click ended is no answer: the next one settles it.
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
    held: dict[str, str] = st.session_state.setdefault(name, {})
    return held


def offer_put_away(viewer: Viewer, key: str, filename: str) -> None:
    """Say what was put away, with a button to download it and one to discard it."""
    for number, each in enumerate(drafts.put_away(viewer, key)):
        name = state.key("drafts", f"away.{each.key}")
        with st.container(border=True, key=name):
            st.markdown(":material/inventory_2: **A draft was set aside**")
            st.caption(
                "This page failed twice while it loaded the draft, so it does not load the draft again. Download it "
                "to keep its text. It stays here until you discard it."
            )
            with st.container(horizontal=True):
                st.download_button(
                    "Download draft",
                    each.text.encode("utf-8", "replace"),
                    f"{number + 1}-{filename}",
                    "text/plain",
                    key=state.key(name, "download"),
                    icon=":material/download:",
                )
                st.button("Discard draft", key=state.key(name, "discard"), on_click=_discard, args=(viewer, each.key))


def _discard(viewer: Viewer, key: str) -> None:
    with shell.boundary():
        drafts.keep_draft(viewer, key, "")
