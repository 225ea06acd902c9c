"""Releases: preview of the next one, changes since the last, list of all, and one release."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import links, shell, state
from components.widgets.moments import moment_column
from components.widgets.number_table import number_table
from core.errors import Missing
from core.papers.releases import TruthOrigin
from core.people import Permission, Receipt, Viewer
from core.words import counted
from pages.releases import detail
from pages.releases.parts import PAGE, show_difference, table_height
from services.releases import releasing
from services.releases.releasing import ReleaseLine, ReleasePreview

LICENCES = ("CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC0-1.0")
FORM = state.key(PAGE, "freeze")
# State of the preview as last drawn, which is what the user confirms.
SHOWN = state.key(PAGE, "shown")
# State of the preview when the freeze dialog was opened; absent without a dialog.
ASKS = state.key(PAGE, "asks")


def show(viewer: Viewer) -> None:
    listed = releasing.releases(viewer)
    number = state.read_param("release")
    if number:
        numbers = {str(line.number) for line in listed}
        if number not in numbers:
            raise Missing(f"This study has no release {number[:20]}.")
        detail.show_release(viewer, int(number), listed)
        return
    receipt: Receipt | None = st.session_state.get(state.key(PAGE, "receipt"))
    room = shell.top_row("Releases", receipt)
    if viewer.may(Permission.RELEASE):
        with shell.boundary(_reload):
            _next(viewer, room)
    _list(viewer, listed)


# --- the next release -------------------------------------------------------------------------------------------


def _next(viewer: Viewer, room: DeltaGenerator) -> None:
    seen = releasing.preview(viewer)
    with room:
        insists = bool(st.session_state.get(state.act_key(FORM, "insist")))
        st.button(
            f"Freeze release {seen.number}",
            type="primary",
            key=state.act_key(FORM, "ask"),
            disabled=not seen.figures or (seen.is_unchanged and not insists),
            help="Nothing has changed since the last release." if seen.is_unchanged else None,
            on_click=_ask,
        )
    texts = ""
    if seen.texts or seen.labelled:
        texts = f", {counted(seen.texts, 'text')}, labelled nodes of {counted(seen.labelled, 'figure')}"
    st.text(
        f"Release {seen.number} will contain {counted(seen.figures, 'figure')} from {counted(seen.papers, 'paper')}: "
        f"{counted(seen.nodes, 'node')}, {counted(seen.edges, 'edge')}{texts}."
        if seen.figures
        else "No ground truth to freeze yet. A figure counts once its adjudication is finished, or once a graph is "
        "imported as its ground truth. Under Settings, Figures, the owner can let single transcriptions count."
    )
    for sentence in [_origins(seen), *seen.private]:
        if sentence:
            st.caption(shell.escaped(sentence))
    if not seen.figures:
        links.page_link("Adjudicate figures", "adjudicate", {})
        _left_out(seen)
        return
    difference, words = st.columns([3, 2], gap="large")
    with difference:
        since = f"Since release {seen.number - 1}" if seen.number > 1 else "In the first release"
        show_difference(seen.diff, since, key="next")
        _left_out(seen)
    with words:
        title, notes, licence = _words()
        if seen.is_unchanged:
            st.checkbox(
                f"Freeze although nothing has changed since release {seen.number - 1}",
                key=state.act_key(FORM, "insist"),
            )
    st.session_state[SHOWN] = seen.seen
    if ASKS in st.session_state:
        _freeze_dialog(viewer, seen, _FreezeChoices(title, notes, licence, insists))


@dataclass(frozen=True, slots=True)
class _FreezeChoices:
    title: str
    notes: str
    licence: str
    even_if_unchanged: bool


def _ask() -> None:
    st.session_state[ASKS] = st.session_state[SHOWN]


def _stop_asking() -> None:
    st.session_state.pop(ASKS, None)


@st.dialog("Freeze this release?", on_dismiss=_stop_asking)
def _freeze_dialog(viewer: Viewer, seen: ReleasePreview, choices: _FreezeChoices) -> None:
    with shell.boundary(_reload):
        st.text(
            f"Release {seen.number}: {counted(seen.figures, 'figure')}, {counted(seen.nodes, 'node')}, "
            f"{counted(seen.edges, 'edge')}. Licence: {choices.licence or 'none yet'}."
        )
        st.text("A release never changes. Correct later errors in the next release.")
        with st.container(horizontal=True):
            wants = st.button("Freeze permanently", type="primary", key=state.act_key(FORM, "submit"))
            if st.button("Cancel", key=state.act_key(FORM, "cancel")):
                _stop_asking()
                st.rerun()
        if wants:
            receipt = releasing.freeze(
                viewer,
                choices.title,
                choices.notes,
                choices.licence,
                seen=st.session_state[ASKS],
                even_if_unchanged=choices.even_if_unchanged,
                act_id=state.act_id(FORM),
            )
            state.spend(FORM)
            _stop_asking()
            st.session_state[state.key(PAGE, "receipt")] = receipt
            links.go_to("releases", {"release": str(receipt.version)})
            st.rerun()


def _words() -> tuple[str, str, str]:
    title = st.text_input(
        "Title",
        key=state.act_key(FORM, "title"),
        max_chars=releasing.LONGEST_TITLE,
        placeholder="Ground truth, release …",
    )
    licence = st.selectbox(
        "Licence",
        LICENCES,
        index=None,
        placeholder="Choose a licence, or type another",
        key=state.act_key(FORM, "licence"),
        accept_new_options=True,
    )
    notes = st.text_area(
        "Notes for readers", key=state.act_key(FORM, "notes"), max_chars=releasing.LONGEST_NOTES, height=100
    )
    st.caption("Content and licence cannot be changed later. Do not name anyone who takes part in the study.")
    return title or "", notes or "", licence or ""


def _origins(seen: ReleasePreview) -> str:
    """Return the figures by origin of their ground truth; "" if all are adjudicated."""
    if set(seen.origins) <= {TruthOrigin.ADJUDICATED}:
        return ""
    counts = ", ".join(f"{number:,} {origin}" for origin, number in seen.origins.items())
    return f"Ground truth: {counts}. Agreement covers adjudicated figures only."


def _left_out(seen: ReleasePreview) -> None:
    if seen.left_out:
        reasons = Counter(each.reason for each in seen.left_out)
        with st.expander(f"Left out: {counted(len(seen.left_out), 'figure')}"):
            st.dataframe(
                {
                    "Paper": [each.name.title for each in seen.left_out],
                    "Figure": [each.name.label for each in seen.left_out],
                    "Reason": [each.reason for each in seen.left_out],
                },
                hide_index=True,
                height=table_height(len(seen.left_out)),
                key=state.key(PAGE, "left"),
            )
            st.caption("; ".join(f"{counted(count, 'figure')}: {reason}" for reason, count in sorted(reasons.items())))


# --- all of them ------------------------------------------------------------------------------------------------


def _list(viewer: Viewer, listed: tuple[ReleaseLine, ...]) -> None:
    if not listed:
        may_freeze = viewer.may(Permission.RELEASE)
        st.caption("No release yet." if may_freeze else "No release yet. A researcher or the owner freezes one.")
        return
    number_table(
        {
            "Release": [str(line.number) for line in listed],
            "Title": [line.title or "–" for line in listed],
            "Frozen": [shell.local_time(line.created_at) for line in listed],
            "Figures": [f"{line.figures:,}" for line in listed],
            "Nodes": [f"{line.nodes:,}" for line in listed],
            "Edges": [f"{line.edges:,}" for line in listed],
            "Licence": [line.licence for line in listed],
        },
        key=state.key(PAGE, "list"),
        words=("Title", "Licence"),
        wide="Title",
        config={"Frozen": moment_column()},
    )
    with st.container(horizontal=True):
        for line in listed[:12]:
            links.page_button(
                f"Open release {line.number}",
                "releases",
                {"release": str(line.number)},
                key=state.key(PAGE, f"open.{line.number}"),
            )
    if len(listed) > 12:
        older = [line.number for line in listed[12:]]
        chosen = st.selectbox("Older releases", older, index=None, key=state.key(PAGE, "older"))
        if chosen:
            links.go_to("releases", {"release": str(chosen)})


def _reload() -> None:
    _stop_asking()
    state.forget(FORM)
