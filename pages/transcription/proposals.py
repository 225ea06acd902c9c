"""Whether arrows are proposed in this study, and what became of them: for those who run it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import shell, state
from components.widgets import acts
from components.widgets.number_table import number_table
from core.estimate import Estimate
from core.people import May, Viewer
from services.transcription import proposals
from services.transcription.proposal_report import GroupRow, OriginRow
from services.transcription.proposals import ProposalSettings

PAGE = "proposals"
FORM = state.key(PAGE, "settings")
NO_VALUE = "–"
ORIGINS = {
    "vector": "proposed from the figure's lines",
    "ocr": "proposed from a picture",
    "typed": "typed",
    "pasted": "pasted",
    "drawn": "drawn on the figure",
    "import": "imported",
}
DECISIONS = {
    "shown": "arrows proposed",
    "left out": "without, by lot",
    "second": "without, second transcription",
    "off": "without, study does without",
    "": "begun before arrows were proposed",
}
HOW = """\
- Counted are transcriptions submitted or accepted; drafts and the training are not.
- **accepted**: the edge still stands, as it was proposed. **mended**: it stands with another end, or turned round.
- **removed later**: it was accepted, or drawn, and taken out again.
- **drawn anyway**: the person drew the proposed arrow without answering the proposal.
- **by hand**: edges that no proposal made.
- Only *arrows proposed* and *without, by lot* can be compared: these figures were divided by the seeded lot. Second
  transcriptions differ in more than their proposals.
"""


def of_study(viewer: Viewer) -> None:
    """The settings, for the owner, and the report."""
    if viewer.may(May.MANAGE):
        with shell.boundary(_reload):
            _settings(viewer)
    found = proposals.report(viewer)
    if not any(group.tasks for group in found.groups):
        st.caption("Nothing has been submitted yet; what became of proposals stands here then.")
        return
    st.subheader("What became of them", anchor=False)
    _origins([row for row in found.origins if _is_used(row)])
    _groups([group for group in found.groups if group.tasks])
    with st.popover("How is this computed", type="tertiary"):
        st.markdown(HOW)


def _settings(viewer: Viewer) -> None:
    now = proposals.settings(viewer)
    seen = state.seen(FORM, now.version)
    shell.receipt_line(acts.last_receipt(PAGE), "Set for tasks taken from now on")
    with st.form(state.act_key(FORM), border=True):
        is_on = st.toggle("Propose arrows", now.on, key=state.act_key(FORM, "on"))
        share, seed, second = st.columns([2, 1, 3], vertical_alignment="bottom", gap="large")
        with share:
            percent = st.slider(
                "Share of figures without, by lot",
                0,
                100,
                round(100 * now.share_without),
                5,
                "%d %%",
                key=state.act_key(FORM, "share"),
                help="So that what proposals do to omissions can be measured.",
            )
        with seed:
            lot = st.number_input("Seed of the lot", 0, 2**31 - 1, now.seed, key=state.act_key(FORM, "seed"))
        with second:
            for_second = st.checkbox(
                "Also for whoever transcribes a figure second",
                now.for_second,
                key=state.act_key(FORM, "second"),
                help="Then the two transcriptions are no longer independent.",
            )
        is_saved = st.form_submit_button("Save", key=state.act_key(FORM, "save"))
    if is_saved:
        wanted = ProposalSettings(is_on, percent / 100, int(lot), for_second)
        acts.keep(PAGE, FORM, lambda act_id: proposals.save_settings(viewer, wanted, seen=seen, act_id=act_id))


def _reload() -> None:
    state.spend(FORM)


def _is_used(row: OriginRow) -> bool:
    return bool(row.proposed or row.added_by_hand or row.removed_later)


def _origins(rows: Sequence[OriginRow]) -> None:
    number_table(
        {
            "Origin": [ORIGINS.get(row.origin, row.origin) for row in rows],
            "proposed": [_count(row.proposed) for row in rows],
            "accepted": [_count(row.accepted) for row in rows],
            "mended": [_count(row.mended) for row in rows],
            "refused": [_count(row.refused) for row in rows],
            "unanswered": [_count(row.unanswered) for row in rows],
            "drawn anyway": [_count(row.drawn_anyway) for row in rows],
            "by hand": [_count(row.added_by_hand) for row in rows],
            "removed later": [_count(row.removed_later) for row in rows],
        },
        key=state.key(PAGE, "origins"),
        words=("Origin",),
        wide="Origin",
    )


def _groups(rows: Sequence[GroupRow]) -> None:
    number_table(
        {
            "Tasks": [DECISIONS.get(row.decision, row.decision) for row in rows],
            "tasks": [str(row.tasks) for row in rows],
            "figures": [str(row.figures) for row in rows],
            "edges": [str(row.edges) for row in rows],
            "by hand": [str(row.added_by_hand) for row in rows],
            "edges per task": [_rate(row.edges_per_task) for row in rows],
        },
        key=state.key(PAGE, "groups"),
        words=("Tasks",),
        wide="Tasks",
    )


def _count(count: int) -> str:
    return str(count) if count else NO_VALUE


def _rate(rate: Estimate) -> str:
    return NO_VALUE if rate.value is None else f"{rate.value:.1f}"
