"""How fast figures are drawn: one's own tasks, and for those who run the study everyone's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components import state
from components.widgets.number_table import number_table
from core.estimate import Estimate
from core.people import Viewer
from core.transcription.effort import IDLE_AFTER_S, MIDDLE, REPORT_EVERY_S, SMALL
from services.transcription import effort
from services.transcription.effort import EffortTotal, TaskEffort

PAGE = "pace"
NO_VALUE = "–"
MADE_UP = "The time of demo people is made up."
HOW = f"""\
- **active minutes**: time between two inputs (pointer, wheel, touch, key) on the task's screen, if it is no longer
  than {IDLE_AFTER_S:.0f} s; a longer pause counts nothing, nor does a hidden tab. The browser reports every
  {REPORT_EVERY_S:.0f} s and the server never counts more than has passed; a task that is closed between two reports
  loses the seconds since the last.
- **acts**: edits of the graph kept in its history, undo and redo among them.
- **edges per minute**: edges in the graph now over active minutes; of several tasks, all their edges over all their
  minutes. {NO_VALUE} under half a minute of activity.
- **size**: small up to {SMALL[0]} nodes and {SMALL[1]} edges, middle up to {MIDDLE[0]} and {MIDDLE[1]} (a diagram for
  which published practice reports about an hour, 0.6 edges a minute), large above.
- **proposals**: whether proposed arrows were shown for the task, as decided when it was taken.
- The training is no part of these figures.
"""


def own(viewer: Viewer) -> None:
    """The viewer's pace, under their work; nothing before something was measured."""
    tasks = effort.my_effort(viewer)
    if not any(task.active_s for task in tasks):
        return
    total = effort.total_of(tasks)
    said = f"Your pace: {_minutes(sum(task.active_s for task in tasks))} active minutes"
    if total.edges_per_minute.value is not None:
        said += f", {total.edges_per_minute.value:.1f} edges a minute in what you submitted"
    with st.expander(said, icon=":material/timer:", key=state.key(PAGE, "own")):
        _tasks(tasks, with_people=False)
        _how()


def of_study(viewer: Viewer) -> None:
    """Everyone's pace by person and by kind of figure, for the owner and researchers."""
    found = effort.study_effort(viewer)
    if not any(task.active_s for task in found.tasks):
        st.caption("No active time has been measured yet; it is while someone draws.")
        return
    st.caption(
        f"{found.total.tasks} submitted, {found.total.edges:,} edges, {_minutes(found.total.active_s)} active minutes, "
        f"{_rate(found.total.edges_per_minute)} edges a minute"
        + (f". {MADE_UP}" if any(task.is_made_up for task in found.tasks) else "")
    )
    by_person, by_size = st.columns(2, gap="large")
    with by_person:
        _totals("Person", found.people)
    with by_size:
        _totals("Figure", found.sizes)
    with st.expander(f"Every task ({len(found.tasks)})", key=state.key(PAGE, "tasks")):
        _tasks(found.tasks, with_people=True)
        st.download_button(
            "Download as CSV",
            partial(_content, viewer),
            "effort.csv",
            "text/csv",
            on_click="ignore",
            key=state.key(PAGE, "download"),
            help="With pseudonyms in place of names.",
        )
    _how()


def _content(viewer: Viewer) -> bytes:
    return effort.export_effort(viewer).content


def _totals(what: str, totals: Sequence[EffortTotal]) -> None:
    if not totals:
        st.caption("Nothing has been submitted yet.")
        return
    number_table(
        {
            what: [total.label for total in totals],
            "tasks": [str(total.tasks) for total in totals],
            "edges": [str(total.edges) for total in totals],
            "active minutes": [_minutes(total.active_s) for total in totals],
            "edges per minute": [_rate(total.edges_per_minute) for total in totals],
        },
        key=state.key(PAGE, f"totals.{what}"),
        words=(what,),
    )


def _tasks(tasks: Sequence[TaskEffort], *, with_people: bool) -> None:
    columns: dict[str, list[str]] = {"Figure": [f"{task.paper_title} · {task.figure_label}" for task in tasks]}
    if with_people:
        columns["Person"] = [task.annotator for task in tasks]
    columns |= {
        "state": [task.state for task in tasks],
        "size": [task.size or NO_VALUE for task in tasks],
        "nodes": [_count(task.nodes) for task in tasks],
        "edges": [_count(task.edges) for task in tasks],
        "acts": [_count(task.acts) for task in tasks],
        "active minutes": [_minutes(task.active_s) for task in tasks],
        "edges per minute": [_rate(task.edges_per_minute) for task in tasks],
        "proposals": [task.proposals or NO_VALUE for task in tasks],
    }
    key = state.key(PAGE, "tasks.table" if with_people else "own.table")
    number_table(columns, key=key, words=("Figure", "Person", "state", "size", "proposals"), wide="Figure")
    if any(task.is_made_up for task in tasks):
        st.caption(MADE_UP)
    reasons = {task.edges_per_minute.reason for task in tasks if task.edges_per_minute.value is None}
    if reasons:
        st.caption(f"{NO_VALUE}: {'; '.join(sorted(reasons))}.")


def _how() -> None:
    with st.popover("How is this computed", type="tertiary"):
        st.markdown(HOW)


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.1f}"


def _rate(rate: Estimate) -> str:
    return NO_VALUE if rate.value is None else f"{rate.value:.1f}"


def _count(count: int | None) -> str:
    return NO_VALUE if count is None else str(count)
