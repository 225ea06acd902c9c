"""Active time and pace: own tasks, and everyone's for those who run the study."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import state
from components.widgets.charts import show_chart
from components.widgets.downloads import content_on_click
from components.widgets.number_table import number_table
from core.analysis.charts import Chart, ChartKind, Point, chart_of_points
from core.estimate import Estimate
from core.people import Viewer
from core.transcription.effort import IDLE_AFTER_S, MIDDLE, REPORT_EVERY_S, SMALL
from core.words import counted, lasting
from pages.transcription.states import STATES
from services.transcription import effort
from services.transcription.effort import EffortTotal, TaskEffort

PAGE = "pace"
NO_VALUE = "–"
MADE_UP = "The active time of demo people is synthetic."
HOW = f"""\
- **Active time**: the time between two inputs (pointer, wheel, touch, key) on the screen of the transcription, if it
  is at most {IDLE_AFTER_S:.0f} s. Longer pauses and hidden tabs count 0. The browser reports every
  {REPORT_EVERY_S:.0f} s, and the server never counts more time than has passed. The seconds between the last report and
  the closing of the tab are lost.
- **Acts**: edits in the history of the graph, including undo and redo.
- **Edges per minute**: the edges in the graph now, divided by its active minutes. Totals divide all edges by all
  minutes. Undefined ({NO_VALUE}) below 30 s of active time.
- **Size**: small up to {SMALL[0]} nodes and {SMALL[1]} edges, medium up to {MIDDLE[0]} and {MIDDLE[1]} (published
  practice reports about 1 h for such a diagram, 0.6 edges per minute), large above.
- **Proposals**: whether proposed edges were shown, as decided when the figure was taken.
- The practice diagram is not counted.
"""


def own(viewer: Viewer) -> None:
    tasks = effort.my_effort(viewer)
    if not any(task.active_s for task in tasks):
        return
    total = effort.total_of(tasks)
    summary = f"Your active time: {lasting(sum(task.active_s for task in tasks))}"
    if total.edges_per_minute.value is not None:
        summary += f", {total.edges_per_minute.value:.1f} edges per minute in submitted transcriptions"
    with st.expander(summary, icon=":material/timer:", key=state.key(PAGE, "own")):
        _tasks(tasks, with_people=False)
        _how()


def of_study(viewer: Viewer) -> None:
    """Draw everyone's pace by person and figure size, for the owner and researchers."""
    study = effort.study_effort(viewer)
    if not any(task.active_s for task in study.tasks):
        st.caption("No active time yet. It is measured while annotators transcribe.")
        return
    st.caption(
        f"{study.total.tasks:,} submitted, {counted(study.total.edges, 'edge')}, "
        f"{lasting(study.total.active_s)} of active time, {_rate(study.total.edges_per_minute)} edges per minute"
        + (f". {MADE_UP}" if any(task.is_made_up for task in study.tasks) else "")
    )
    by_person, by_size = st.columns(2, gap="large")
    with by_person:
        _totals("Annotator", study.people)
    with by_size:
        _totals("Figure size", study.sizes)
    with st.expander(f"All transcriptions ({len(study.tasks)})", key=state.key(PAGE, "tasks")):
        _tasks(study.tasks, with_people=True)
        st.download_button(
            "Download CSV",
            content_on_click(effort.export_effort, viewer),
            "effort.csv",
            "text/csv",
            on_click="ignore",
            key=state.key(PAGE, "download"),
            help="The file has pseudonyms instead of names.",
        )
    _how()


def _time_chart(what: str, totals: Sequence[EffortTotal]) -> Chart:
    points = [
        Point(row=total.label, column="", value=total.active_s / 60, text=_minutes(total.active_s)) for total in totals
    ]
    return chart_of_points(
        points,
        kind=ChartKind.BARS,
        title=f"Active time in minutes by {what.lower()}",
        row_title=what,
        column_title="",
        value_title="Active time (min)",
    )


def _totals(what: str, totals: Sequence[EffortTotal]) -> None:
    if not totals:
        st.caption("Nothing has been submitted yet.")
        return
    show_chart(_time_chart(what, totals), state.key(PAGE, f"chart.{what}"))
    number_table(
        {
            what: [total.label for total in totals],
            "Transcriptions": [str(total.tasks) for total in totals],
            "Edges": [str(total.edges) for total in totals],
            "Active time (min)": [_minutes(total.active_s) for total in totals],
            "Edges per minute": [_rate(total.edges_per_minute) for total in totals],
        },
        key=state.key(PAGE, f"totals.{what}"),
        words=(what,),
    )


def _tasks(tasks: Sequence[TaskEffort], *, with_people: bool) -> None:
    columns: dict[str, list[str]] = {"Figure": [f"{task.paper_title} · {task.figure_label}" for task in tasks]}
    if with_people:
        columns["Annotator"] = [task.annotator for task in tasks]
    columns |= {
        "State": [STATES.get(task.state, task.state) for task in tasks],
        "Size": [task.size or NO_VALUE for task in tasks],
        "Nodes": [_count(task.nodes) for task in tasks],
        "Edges": [_count(task.edges) for task in tasks],
        "Acts": [_count(task.acts) for task in tasks],
        "Active time (min)": [_minutes(task.active_s) for task in tasks],
        "Edges per minute": [_rate(task.edges_per_minute) for task in tasks],
        "Proposals": [task.proposals or NO_VALUE for task in tasks],
    }
    key = state.key(PAGE, "tasks.table" if with_people else "own.table")
    number_table(columns, key=key, words=("Figure", "Annotator", "State", "Size", "Proposals"), wide="Figure")
    if any(task.is_made_up for task in tasks):
        st.caption(MADE_UP)
    reasons = {task.edges_per_minute.reason for task in tasks if task.edges_per_minute.value is None}
    if reasons:
        st.caption(f"{NO_VALUE} means undefined: {', or '.join(sorted(reasons, reverse=True))}.")


def _how() -> None:
    with st.popover("How this is computed", type="tertiary"):
        st.markdown(HOW)


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.1f}"


def _rate(rate: Estimate) -> str:
    return NO_VALUE if rate.value is None else f"{rate.value:.1f}"


def _count(count: int | None) -> str:
    return NO_VALUE if count is None else str(count)
