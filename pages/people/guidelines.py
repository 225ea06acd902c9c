"""Guidelines of the study: editor at the left, preview at the right."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import shell, state
from core.people import Receipt, Viewer
from pages.drafts import stored as kept_drafts
from pages.people import practice
from pages.people.acts import PAGE, keep, receipt
from services.transcription import guidelines


def show_guidelines(viewer: Viewer, head: DeltaGenerator) -> None:
    versions = guidelines.guideline_versions(viewer)
    newest = versions[0]
    form = state.key(PAGE, "guidelines")
    seen = state.seen(form, newest.number)
    with head:
        shell.receipt_line(receipt(), f"version {newest.number}" if newest.number else "no version yet")
        is_saving = st.button("Save new version", type="primary", key=state.act_key(form, "submit"))
    kept_drafts.show_archived(viewer, "guidelines", "guidelines.md")
    writing, reading = st.columns(2, gap="large")
    with writing, shell.boundary(partial(_show_newer, form, newest.number)):
        text = state.draft_text(
            "Text (Markdown)",
            state.key(PAGE, f"guidelines.text.{seen}"),
            load=lambda: kept_drafts.load(viewer, "guidelines") or newest.text,
            keep=partial(kept_drafts.keep, viewer, "guidelines"),
            height=420,
            max_chars=guidelines.LONGEST,
        )
        if is_saving:
            keep(form, partial(_save_guidelines, viewer, text, seen))
        if newest.number and text != newest.text:
            st.button(
                f"Restore version {newest.number}",
                type="tertiary",
                key=state.key(PAGE, "guidelines.back"),
                on_click=_drop_text,
                args=(viewer,),
            )
    with reading:
        shown = st.selectbox(
            "As annotators see it",
            [0, *(view.number for view in versions if view.number)],
            format_func=lambda number: f"version {number}" if number else "unsaved text",
            key=state.key(PAGE, "guidelines.version"),
        )
        old = {view.number: view.text for view in versions}
        # Headings, lists and bold only: a remote picture or link in a text would be fetched by every reader's browser.
        with st.container(border=True, height=420):
            st.markdown(shell.outline(text if not shown else old[shown]) or "No guidelines yet.")
        practice.readers(viewer, newest.number)


def _save_guidelines(viewer: Viewer, text: str, seen: int, act: str) -> Receipt:
    receipt_of_version = guidelines.save_guidelines(viewer, text, seen=seen, act_id=act)
    kept_drafts.forget(viewer, "guidelines")
    return receipt_of_version


def _show_newer(form: str, newest: int) -> None:
    """After a conflict, retain the user's text and show the newer version in the preview."""
    state.spend(form)
    st.session_state[state.key(PAGE, "guidelines.version")] = newest


def _drop_text(viewer: Viewer) -> None:
    with shell.boundary():
        kept_drafts.forget(viewer, "guidelines")
        state.forget(state.key(PAGE, "guidelines"))
