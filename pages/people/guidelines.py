"""Guidelines of the study: editor at the left, preview at the right."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import shell, state
from components.widgets.guidelines_text import draw_guidelines
from components.widgets.uploads import report_refused, session_id, uploader_of_one
from core.people import Receipt, Viewer
from pages.drafts import stored as kept_drafts
from pages.people import practice
from pages.people.acts import PAGE, keep, receipt
from services.exchange import uploads
from services.transcription import guidelines


def show_guidelines(viewer: Viewer, head: DeltaGenerator) -> None:
    versions = guidelines.guideline_versions(viewer)
    newest = versions[0]
    form = state.key(PAGE, "guidelines")
    seen = state.seen(form, newest.number)
    with head:
        shell.receipt_line(receipt(), f"version {newest.number}" if newest.number else "no version yet")
        is_saving = st.button("Save new version", type="primary", key=state.act_key(form, "submit"))
    st.markdown(
        "**Guidelines say how to transcribe a figure.** Annotators read each new version before their next figure, and "
        "have it open next to every figure."
    )
    kept_drafts.show_archived(viewer, "guidelines", "guidelines.md")
    writing, reading = st.columns(2, gap="large")
    with writing, shell.boundary(partial(_show_newer, form, newest.number)):
        above = st.container()
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
        if not newest.number and not text:
            above.button(
                "Start from template",
                icon=":material/description:",
                key=state.key(PAGE, "guidelines.start"),
                on_click=_start_from_template,
                args=(viewer,),
            )
        _add_picture(viewer)
        if newest.number and text != newest.text:
            st.button(
                f"Restore version {newest.number}",
                type="tertiary",
                key=state.key(PAGE, "guidelines.back"),
                on_click=_drop_text,
                args=(viewer,),
            )
    is_saved = bool(newest.number) and text == newest.text
    with reading:
        shown = st.selectbox(
            "As annotators see it",
            [0, *(view.number for view in versions if view.number and not (is_saved and view is newest))],
            format_func=lambda number: f"version {number or newest.number}" if number or is_saved else "unsaved text",
            key=state.key(PAGE, "guidelines.version"),
        )
        old = {view.number: view.text for view in versions}
        # Headings, lists and bold only: a remote picture or link in a text would be fetched by every reader's browser.
        with st.container(border=True, height=420):
            draw_guidelines(
                (text if not shown else old[shown]) or "No guidelines yet.", partial(guidelines.picture, viewer)
            )
        practice.readers(viewer, newest.number)


def _add_picture(viewer: Viewer) -> None:
    """Draw the upload of a picture, and the line that shows it in the text."""
    area = state.key(PAGE, "guidelines.picture")
    refused = uploads.permit(viewer, session_id(), area)
    file = uploader_of_one("Picture (PNG, JPEG or WebP)", ["png", "jpg", "jpeg", "webp"], key=area)
    report_refused(refused)
    if file is None:
        return
    name = f"{area}.{file.file_id}"  # a file is added once, however often the page is drawn
    if name not in st.session_state:
        added = guidelines.add_picture(viewer, file.name, file.getvalue(), act_id=state.act_id(name))
        st.session_state[name] = guidelines.reference(added.subject_id, file.name)
    st.caption("Copy this line to where the picture belongs:")
    st.code(st.session_state[name], language=None)


def _save_guidelines(viewer: Viewer, text: str, seen: int, act: str) -> Receipt:
    receipt_of_version = guidelines.save_guidelines(viewer, text, seen=seen, act_id=act)
    kept_drafts.forget(viewer, "guidelines")
    return receipt_of_version


def _show_newer(form: str, newest: int) -> None:
    """After a conflict, retain the user's text and show the newer version in the preview."""
    state.spend(form)
    st.session_state[state.key(PAGE, "guidelines.version")] = newest


def _start_from_template(viewer: Viewer) -> None:
    """Put the template into the field, as a draft."""
    with shell.boundary():
        form = state.key(PAGE, "guidelines.template")
        kept_drafts.keep(viewer, "guidelines", guidelines.template(viewer, act_id=state.act_id(form)))
        state.forget(state.key(PAGE, "guidelines"))


def _drop_text(viewer: Viewer) -> None:
    with shell.boundary():
        kept_drafts.forget(viewer, "guidelines")
        state.forget(state.key(PAGE, "guidelines"))
