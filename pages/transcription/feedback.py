"""Feedback: the rulings on the viewer's own transcriptions."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import shell, state
from components.figure.figure_view import FigureMark, figure_view
from components.widgets.work_list import WorkLine, work_list
from core.papers.pages import Box
from core.people import Viewer
from core.stored_words import shown_word
from core.words import counted
from pages.transcription.figure_crops import figure_crop
from services.adjudication import feedback, feedback_places
from services.adjudication.feedback import Feedback, FeedbackLine, FeedbackRow

PAGE = "came_back"
PARAM = "feedback"
DPI = 150
HEIGHT = 560
LIST_HEIGHT = 560
_HIGHLIGHTED = state.key(PAGE, "lit")
# From this number of rows on, the list scrolls next to the figure.
LONG = 6


def section(feedback_lines: Sequence[FeedbackLine]) -> None:
    if not feedback_lines:
        return
    fresh = sum(one.is_new for one in feedback_lines)
    st.subheader(f"What changed in your work ({fresh} new)" if fresh else "What changed in your work", anchor=False)
    lines = [
        WorkLine(
            id=one.assignment_id,
            title=one.paper_title,
            detail=" · ".join(filter(None, (one.figure_label, one.place))),
            state="new" if one.is_new else "seen",
            counts=f"your readings upheld: {one.upheld} of {one.differences}"
            if one.differences
            else "the two transcriptions did not differ",
            comment="",
            verb="Open feedback",
        )
        for one in feedback_lines
    ]
    work_list(lines, key=state.key(PAGE, "list"), on_choose=_open)


def _open(assignment_id: str) -> None:
    state.forget(PAGE)
    state.write_param(PARAM, assignment_id)


def _close() -> None:
    state.write_param(PARAM, "")


def _to_transcription(assignment_id: str) -> None:
    _close()
    state.write_param("transcription", assignment_id)


def show(viewer: Viewer, assignment_id: str) -> None:
    read: list[Feedback] = []
    with shell.boundary():
        read.append(feedback.feedback(viewer, assignment_id))
    if not read:
        st.button("All transcriptions", key=state.key(PAGE, "all"), on_click=_close)
        return
    (item,) = read
    figure = item.figure
    with shell.top_row(f"{figure.label or figure.place} · {figure.paper_title}", note="What changed in your work"):
        st.button("Your transcription", key=state.key(PAGE, "work"), on_click=_to_transcription, args=(assignment_id,))
        st.button("All transcriptions", key=state.key(PAGE, "all"), on_click=_close)
    upheld = f"your other readings upheld: {item.upheld} of {len(item.rows)}" if item.rows else "no differences"
    st.caption(f"Ruled {shell.day(item.at)} · {counted(item.agreed, 'edge')} the same in both · {upheld}")
    _parts(viewer, item)
    if item.is_new:
        name = state.key(PAGE, f"seen.{item.assignment_id}.{item.at.isoformat()}")
        with shell.boundary():
            feedback.mark_seen(viewer, item.assignment_id, act_id=state.act_id(name))


@st.fragment
def _parts(viewer: Viewer, item: Feedback) -> None:
    """Draw the figure next to the rows; the chosen row highlights its place."""
    with shell.boundary():
        rows = sorted(item.rows, key=lambda row: row.stood)  # overruled readings first
        key = state.key(PAGE, f"boxes.{item.assignment_id}")
        if key not in st.session_state:
            with st.spinner("Reading the figure…"):
                st.session_state[key] = feedback_places.places(viewer, item.assignment_id, rows)
        read: tuple[Box | None, ...] = st.session_state[key]
        boxes = read if len(read) == len(rows) else (None,) * len(rows)
        left, right = st.columns([13, 9], gap="medium")
        with left:
            figure = item.figure
            highlighted = _highlighted()
            figure_view(
                figure_crop(figure, DPI),
                key=state.key(PAGE, f"figure.{item.assignment_id}"),
                marks=[
                    FigureMark("box", str(place), str(place), box, "chosen")
                    for place, box in enumerate(boxes, start=1)
                    if box is not None and place == highlighted
                ],
                height_px=HEIGHT,
            )
            if figure.caption:
                st.caption(shell.escaped(figure.caption))
        with right:
            _rows(rows, boxes)


def _highlighted() -> int:
    """Return the highlighted row: the first initially, 0 if switched off."""
    place: int = st.session_state.get(_HIGHLIGHTED, 1)
    return place


def _rows(rows: Sequence[FeedbackRow], boxes: Sequence[Box | None]) -> None:
    is_long = len(rows) > LONG and any(boxes)  # a list that scrolls must contain a focusable element
    with st.container(height=LIST_HEIGHT if is_long else "content", border=False, gap="small"):
        for place, (row, box) in enumerate(zip(rows, boxes, strict=True), start=1):
            with st.container(border=True, gap="xxsmall", key=state.key(PAGE, f"row.{place}")):
                has_place = box is not None
                sign = ":material/check: Upheld" if row.stood else ":material/edit: Overruled"
                with st.container(horizontal=True, vertical_alignment="center"):
                    arrow = ":material/arrow_right: " if _highlighted() == place and has_place else ""
                    st.markdown(f"{arrow}**{place}. {shell.escaped(row.sentence)}**", width="stretch")
                    if has_place:
                        st.button(
                            "Show",
                            type="tertiary",
                            key=state.key(PAGE, f"show.{place}"),
                            on_click=_toggle_highlight,
                            args=(place,),
                            help="Highlight in figure",
                        )
                st.markdown(
                    f"{sign} · yours: {shell.escaped(row.own)}"
                    + ("" if row.stood else f" · ruling: **{shell.escaped(row.ruling)}**")
                )
                why = [*map(shown_word, row.reasons), *(["the guidelines have a gap here"] if row.is_gap else [])]
                if why:
                    st.caption(shell.escaped(" · ".join(why)))
                if row.comment:
                    shell.plain(row.comment)
        if not rows:
            st.caption("The two transcriptions did not differ.")


def _toggle_highlight(place: int) -> None:
    st.session_state[_HIGHLIGHTED] = 0 if _highlighted() == place else place
