"""Settings of proposals, and a report on them for those who run the study."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import shell, state
from components.widgets import acts
from components.widgets.number_table import number_table
from core.people import Permission, Viewer
from pages.transcription import model_reader
from services.transcription import proposal_report, proposal_settings
from services.transcription.post_submission import settings as late_settings
from services.transcription.post_submission.settings import LateSettings
from services.transcription.proposal_report import GroupRow, OriginRow
from services.transcription.proposal_settings import ProposalSettings

PAGE = "proposals"
FORM = state.key(PAGE, "settings")
LATE = state.key(PAGE, "late")
WHAT_IS_LATE = (
    "Annotators who worked without proposals see, after submitting, where the program read the figure differently, and "
    "may then change their transcription. Agreement uses the transcription as submitted. Adjudicators see the "
    "program's reading beside A and B."
)
NO_VALUE = "–"
READERS = {"vector": "vector lines", "raster": "picture", "ocr": "vector lines with read names", "model": "a model"}
ORIGINS = {
    "vector": "proposed from vector lines",
    "raster": "proposed from the picture",
    "ocr": "proposed from vector lines with read names",
    "model": "proposed by a model",
    "typed": "typed",
    "pasted": "pasted",
    "drawn": "drawn on the figure",
    "import": "imported",
}
DECISIONS = {
    "shown": "edges proposed",
    "left out": "without proposals, random share",
    "second": "without proposals, second transcription",
    "off": "without proposals, switched off",
    "": "started before edges were proposed",
}
HOW = """\
- Submitted and accepted transcriptions are counted, as they were first submitted; drafts and practice diagrams are
  not.
- **Accepted**: the edge is still in the graph, as proposed.
- **Corrected**: it is in the graph with another end, or reversed.
- **Removed later**: it was accepted or drawn, then removed.
- **Drawn anyway**: the annotator drew the proposed edge without answering the proposal.
- **By hand**: edges that did not come from a proposal.
- **By kind of figure**: figures with proposals, by the kind that the program detected. **Edges not
  proposed**: the program proposed none. **Missed**: edges in the graph that were not proposed.
- Only *edges proposed* and *without proposals, random share* can be compared, because a seeded random draw divided
  these figures. Second transcriptions differ in more than their proposals.
"""


def of_study(viewer: Viewer) -> None:
    if viewer.may(Permission.MANAGE):
        with shell.boundary(_reload):
            _settings(viewer)
            now = late_settings.settings(viewer)
            seen = state.seen(LATE, now.version)
            shell.receipt_line(acts.last_receipt(LATE), "This setting applies to transcriptions submitted from now on")
            with st.form(state.act_key(LATE), border=True):
                is_on = st.toggle(
                    "Show the program's reading after submitting",
                    now.on,
                    key=state.act_key(LATE, "on"),
                    help=WHAT_IS_LATE,
                )
                is_saved = st.form_submit_button("Save setting", key=state.act_key(LATE, "save"))
            if is_saved:
                new = LateSettings(is_on)
                acts.keep(LATE, LATE, lambda act_id: late_settings.save_settings(viewer, new, seen=seen, act_id=act_id))
            model_reader.settings(viewer)
    report = proposal_report.report(viewer)
    if not any(group.tasks for group in report.groups):
        st.caption("Nothing has been submitted yet. The report on proposals appears here after the first submission.")
        return
    st.subheader("Report on proposals", anchor=False)
    _origins([row for row in report.origins if bool(row.proposed or row.added_by_hand or row.removed_later)])
    if report.kinds:
        st.caption("By kind of figure")
        number_table(
            {
                "Detected kind": [row.kind or "not recorded" for row in report.kinds],
                "Read from": [_readers(row.origin) for row in report.kinds],
                "Transcriptions": [str(row.tasks) for row in report.kinds],
                "Edges not proposed": [_count(row.declined) for row in report.kinds],
                "Proposed": [_count(row.proposed) for row in report.kinds],
                "Accepted": [_count(row.accepted) for row in report.kinds],
                "Corrected": [_count(row.corrected) for row in report.kinds],
                "Rejected": [_count(row.refused) for row in report.kinds],
                "Missed": [_count(row.missed) for row in report.kinds],
            },
            key=state.key(PAGE, "kinds"),
            words=("Detected kind", "Read from"),
            wide="Read from",
        )
    _groups([group for group in report.groups if group.tasks])
    with st.popover("How this is computed", type="tertiary"):
        st.markdown(HOW)


def _settings(viewer: Viewer) -> None:
    now = proposal_settings.settings(viewer)
    seen = state.seen(FORM, now.version)
    shell.receipt_line(acts.last_receipt(PAGE), "These settings apply to figures taken from now on")
    with st.form(state.act_key(FORM), border=True):
        is_on = st.toggle("Propose edges", now.on, key=state.act_key(FORM, "on"))
        share, seed, second = st.columns([2, 1, 3], vertical_alignment="bottom", gap="large")
        with share:
            percent = st.slider(
                "Random share without proposals",
                0,
                100,
                round(100 * now.share_without),
                5,
                "%d%%",
                key=state.act_key(FORM, "share"),
                help="Measures how proposals affect omissions.",
            )
        with seed:
            drawn = st.number_input("Random seed", 0, 2**31 - 1, now.seed, key=state.act_key(FORM, "seed"))
        with second:
            for_second = st.checkbox(
                "Propose edges for second transcriptions too",
                now.for_second,
                key=state.act_key(FORM, "second"),
                help="The two transcriptions are then no longer independent.",
            )
        is_saved = st.form_submit_button("Save settings", key=state.act_key(FORM, "save"))
    if is_saved:
        new = ProposalSettings(is_on, percent / 100, int(drawn), for_second)
        acts.keep(PAGE, FORM, lambda act_id: proposal_settings.save_settings(viewer, new, seen=seen, act_id=act_id))


def _reload() -> None:
    for form in (FORM, LATE, model_reader.FORM):
        state.spend(form)


def _origins(rows: Sequence[OriginRow]) -> None:
    number_table(
        {
            "Origin": [
                f"proposed from {_readers(row.origin)}" if "+" in row.origin else ORIGINS.get(row.origin, row.origin)
                for row in rows
            ],
            "Proposed": [_count(row.proposed) for row in rows],
            "Accepted": [_count(row.accepted) for row in rows],
            "Corrected": [_count(row.corrected) for row in rows],
            "Rejected": [_count(row.refused) for row in rows],
            "Unanswered": [_count(row.unanswered) for row in rows],
            "Drawn anyway": [_count(row.drawn_anyway) for row in rows],
            "By hand": [_count(row.added_by_hand) for row in rows],
            "Removed later": [_count(row.removed_later) for row in rows],
        },
        key=state.key(PAGE, "origins"),
        words=("Origin",),
        wide="Origin",
    )


def _readers(origin: str) -> str:
    return " and ".join(READERS.get(one, one) for one in origin.split("+"))


def _groups(rows: Sequence[GroupRow]) -> None:
    number_table(
        {
            "Condition": [DECISIONS.get(row.decision, row.decision) for row in rows],
            "Transcriptions": [str(row.tasks) for row in rows],
            "Figures": [str(row.figures) for row in rows],
            "Edges": [str(row.edges) for row in rows],
            "By hand": [str(row.added_by_hand) for row in rows],
            "Edges per transcription": [
                NO_VALUE if row.edges_per_task.value is None else f"{row.edges_per_task.value:.1f}" for row in rows
            ],
        },
        key=state.key(PAGE, "groups"),
        words=("Condition",),
        wide="Condition",
    )


def _count(count: int) -> str:
    return str(count) if count else NO_VALUE
