"""Practice on the transcription screen: \"Check my work\" instead of submitting, and its findings."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import shell, state
from components.desk.tab import desk_key, unsaved
from components.figure.figure_view import FigureMark, figure_view
from core.people import Viewer
from core.transcription.practice import Correctness, next_step
from core.words import counted
from pages.transcription.acts import PAGE, TranscriptionTab, tried
from pages.transcription.figure_crops import figure_crop
from pages.transcription.next_figure import open_next
from services.transcription import practice
from services.transcription.practice import Checked
from services.transcription.practice_figure import training_figure
from services.transcription.reading import Transcription

DPI = 150
# Height in CSS pixels of the small figure with marked errors.
HEIGHT = 190
PASSES = (
    "You pass when nothing is left to correct: every printed arrow is drawn once as an edge, in its direction, with "
    "its sign and delay mark, between nodes with their printed names, and nothing else is drawn. Checks are counted "
    "but not limited."
)


def check_button(viewer: Viewer, work: Transcription, tab: TranscriptionTab) -> None:
    if not work.may_edit:
        if st.button("First figure", type="primary", key=state.key(PAGE, "figures")):
            open_next(viewer)
        return
    name = state.key(PAGE, f"check.{work.id}")
    obstacle = unsaved(desk_key(PAGE, work.id))
    if not work.record.edges:
        obstacle = "Draw an edge first: click its source, then its sink."
    st.button(
        "Check my work",
        type="primary",
        key=state.act_key(name),
        on_click=_check,
        args=(viewer, work.id, tab, name),
        disabled=bool(obstacle) or tab.is_stale,
        help=obstacle,
    )


def _check(viewer: Viewer, assignment_id: str, tab: TranscriptionTab, name: str) -> None:
    with tab.turn:
        tried(partial(practice.check, viewer, assignment_id, seen=tab.seen, act_id=state.act_id(name)))
    state.spend(name)


def findings(viewer: Viewer, work: Transcription) -> None:
    checked = practice.last_check(viewer, work.id)
    if checked is None:
        step = next_step(training_figure().graph, work.record.graph())
        st.info(shell.escaped(step), icon=":material/arrow_forward:")
    elif checked.is_passed:
        times = "at the first check" if checked.tries == 1 else f"after {checked.tries} checks"
        st.success(
            f"Passed {times}: all {checked.count(Correctness.RIGHT)} edges are as printed. You can now take figures."
        )
    else:
        _to_correct(work, checked)


def _to_correct(work: Transcription, checked: Checked) -> None:
    wrong = [placed for placed in checked.found if placed.finding.verdict is not Correctness.RIGHT]
    right = [placed for placed in checked.found if placed.finding.verdict is Correctness.RIGHT]
    printed = len(training_figure().graph.edges)
    head = f"Check {checked.tries}: {len(right)} of {counted(printed, 'edge')} right, {len(wrong)} to correct"
    with st.expander(head, expanded=True, key=state.key(PAGE, f"found.{checked.tries}")):
        text_column, shown = st.columns([3, 2], gap="medium")
        with shown:
            key = state.key(PAGE, f"places.{work.id}")
            last: str | None = st.session_state.get(f"{key}.chosen")
            marks = [
                FigureMark("box", str(number), str(number), placed.box, "chosen" if last == str(number) else "plain")
                for number, placed in enumerate(wrong, start=1)
                if placed.box is not None
            ]
            crop = figure_crop(work.figure, DPI, "Errors marked in the practice diagram")
            click = figure_view(crop, key=key, marks=marks, height_px=HEIGHT)
            if click is not None and click.id != last:
                st.session_state[f"{key}.chosen"] = click.id
                st.rerun(scope="fragment")
            chosen = int(last) if last is not None and last.isdigit() else None
        # No higher than the small figure, so that the desk remains visible.
        with text_column.container(height=HEIGHT + 50, border=False, gap="xsmall", key=state.key(PAGE, "slips")):
            changed = "You changed the graph after this check. Check again."
            st.caption(
                changed if checked.is_changed else "Correct these in the graph below, then check again.", help=PASSES
            )
            for number, placed in enumerate(wrong, start=1):
                verdict = placed.finding.verdict.value.capitalize()
                where = f" · {placed.where}" if placed.where else ""
                begins = ":material/arrow_right: " if chosen == number else ""
                st.markdown(f"{begins}**{number}. {verdict}**{where}  \n{shell.escaped(placed.finding.said)}")
            for placed in right:
                st.caption(f":material/check: {shell.escaped(placed.finding.said)}")
