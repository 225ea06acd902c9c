"""Post-submission review: differences from the program's reading, answered one by one with the keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import streamlit as st

from components import shell, state
from components.figure.figure_view import FigureMark, figure_view
from core.errors import Refused
from core.papers.pages import Box
from core.people import Viewer
from core.sign import Sign
from core.transcription.reading_differences import LateAnswer, ReadKind
from core.words import counted
from pages.transcription.acts import FAILED, tried
from pages.transcription.figure_crops import figure_crop
from pages.transcription.next_figure import leave, open_next
from services.transcription.post_submission import reader
from services.transcription.post_submission.reader import LateRow, PostSubmissionReader
from services.transcription.reading import Transcription

PAGE = "late"
DPI = 150
HEIGHT = 560
REVIEW_POLL_S = 1.0
# Up to this number of questions, the list is expanded.
FEW = 8
# Transcription after which the next figure opens; not under a page's name, whose state is cleared on leaving.
NEXT = state.key("transcribe", "late_next")
WHY = (
    "Your transcription is submitted. The program also read this figure. These are the differences; the program may be "
    "wrong. Your changes are stored separately: agreement and your feedback use what you submitted, adjudication uses "
    "what you change."
)
NOTHING_LEFT = "This figure was located or read again, and no differences are left. Press *Finish*."
# Answers with button label and shortcut; none is highlighted, and the annotator's own comes first.
ANSWERS = ((LateAnswer.KEPT, "As drawn", "X"), (LateAnswer.TAKEN, "As read", "Y"))
WORDS = {LateAnswer.TAKEN: "as read", LateAnswer.KEPT: "as drawn"}


def is_due(viewer: Viewer, assignment_id: str, *, wait_s: float) -> bool:
    """Return True if the reading differs from the submission, or is not finished."""
    return reader.post_submission_reading(viewer, assignment_id, wait_s=wait_s).state in ("reading", "due", "open")


def then_next(assignment_id: str) -> None:
    st.session_state[NEXT] = assignment_id


def show(viewer: Viewer, work: Transcription) -> bool:
    """Draw the questions if there are any; return True if they replace the desk."""
    now = reader.post_submission_reading(viewer, work.id, wait_s=0)
    if now.state == "due":
        name = state.key(PAGE, f"open.{work.id}")
        with suppress(Refused):  # another tab was first; its window is drawn here too
            reader.open_window(viewer, work.id, seen=now.version, act_id=state.act_id(name))
        now = reader.post_submission_reading(viewer, work.id)
    if now.state == "open":
        _questions(viewer, work, now)
        return True
    if now.state == "reading":
        _await(viewer, work.id)
    elif st.session_state.get(NEXT) == work.id:
        st.session_state.pop(NEXT)
        open_next(viewer)
    if now.state == "closed":
        st.caption(f"You reviewed {counted(len(now.rows), 'difference')} and changed {now.taken or 'nothing'}.")
    return False


@st.fragment(run_every=REVIEW_POLL_S)
def _await(viewer: Viewer, assignment_id: str) -> None:
    """Rerun the screen once the figure is read."""
    with shell.boundary():
        if reader.post_submission_reading(viewer, assignment_id, wait_s=0).state != "reading":
            st.rerun()
        st.caption("The program is reading this figure. Differences appear here.")


def _questions(viewer: Viewer, work: Transcription, now: PostSubmissionReader) -> None:
    figure = work.figure
    end = f" until {shell.local_time(now.until):%H:%M}" if now.until else ""
    with shell.top_row(f"{figure.label or figure.place} · {figure.paper_title}", note=f"Submitted, comparing{end}"):
        if st.button("All transcriptions", key=state.key(PAGE, "back")):
            leave()
            st.rerun()
        name = state.key(PAGE, f"finish.{work.id}")
        word = "Finish and next" if st.session_state.get(NEXT) == work.id else "Finish"
        act = partial(reader.finish, viewer, work.id, act_id=state.act_id(name))
        st.button(
            word,
            key=state.act_key(name),
            shortcut="E",
            help="The answers that are left stay as you drew them.",
            on_click=tried,
            args=(act,),
        )
    st.caption(WHY)
    if failed := st.session_state.pop(FAILED, ""):
        st.error(shell.escaped(failed))
    if not now.waiting:
        st.caption(NOTHING_LEFT)
        return
    row = now.waiting[0]
    left, right = st.columns([13, 9], gap="medium")
    with left:
        names = (row.read.sink,) if row.read.kind is ReadKind.NAME else (row.read.source, row.read.sink)
        marks = [
            FigureMark("node", f"end {place}", name, box)
            for place, (name, box) in enumerate(zip(names, row.read.ends, strict=False))
        ]
        if row.read.path:
            xs, ys = [x for x, _y in row.read.path], [y for _x, y in row.read.path]
            around = Box(min(xs), min(ys), max(xs), max(ys))
            marks.append(FigureMark("box", "arrow", "", around, "plain", row.read.path))
        figure_view(figure_crop(figure, DPI), key=state.key(PAGE, f"figure.{work.id}"), marks=marks, height_px=HEIGHT)
    with right:
        _card(viewer, work.id, now, row)
        label = f"{counted(len(now.waiting), 'question')} left"
        with st.expander(label, expanded=len(now.rows) <= FEW, key=state.key(PAGE, "all")):
            for other in now.rows:
                sentence, _own, _read = in_words(other)
                answer = "now" if other is row else WORDS[other.answer] if other.answer else ""
                shell.plain(" · ".join(filter(None, (sentence, answer))))


def _card(viewer: Viewer, assignment_id: str, now: PostSubmissionReader, row: LateRow) -> None:
    with st.container(border=True, key=state.key(PAGE, "card")):
        st.caption(f"Question {len(now.rows) - len(now.waiting) + 1} of {len(now.rows)}")
        sentence, own_words, read = in_words(row)
        st.markdown(f"**{shell.escaped(sentence)}**")
        shell.plain(f"Yours: {own_words}")
        shell.plain(f"Read: {read}")
        if row.read.reasons:
            st.caption(shell.escaped(f"In doubt: {'; '.join(row.read.reasons)}."))
        with st.container(horizontal=True):
            for answer, word, key in ANSWERS:
                name = state.key(PAGE, f"{answer.value}.{now.version}.{row.read.key}")
                # The act ID is bound when drawn, so the second half of a double click repeats the act.
                act = partial(
                    reader.answer,
                    viewer,
                    assignment_id,
                    row.read.key,
                    answer,
                    seen=now.version,
                    act_id=state.act_id(name),
                )
                st.button(word, key=state.act_key(name), shortcut=key, on_click=tried, args=(act,))
            name = state.key(PAGE, f"undo.{now.version}")
            back = partial(reader.undo, viewer, assignment_id, seen=now.version, act_id=state.act_id(name))
            st.button(
                "Undo", key=state.act_key(name), shortcut="U", disabled=not now.can_undo, on_click=tried, args=(back,)
            )


def in_words(row: LateRow) -> tuple[str, str, str]:
    """Format a question, what is drawn, and what was read."""
    read = row.read
    arrow, turned = f"“{read.source}” → “{read.sink}”", f"“{read.sink}” → “{read.source}”"
    drawn = read.drawn or (None, False)
    if read.kind is ReadKind.NAME:
        return f"How is “{read.sink}” spelt?", f"“{read.source}”", f"“{read.sink}”"
    if read.kind is ReadKind.REVERSED:
        question = f"“{read.source}” and “{read.sink}”: which way?"
        return question, _arrow(turned, drawn), _arrow(arrow, (read.sign, read.delay))
    if read.kind is ReadKind.SIGN:
        return f"{arrow}: which sign?", _sign(drawn[0]), _sign(read.sign)
    if read.kind is ReadKind.DELAY:
        words = ("with a delay mark", "without a delay mark")
        return f"{arrow}: with a delay mark?", *(words if not read.delay else words[::-1])
    return f"{arrow}: is it in the figure?", "not drawn", _arrow("drawn", (read.sign, read.delay))


def _arrow(what: str, mark: tuple[Sign | None, bool]) -> str:
    sign, delay = mark
    parts: Sequence[str] = (what, _sign(sign) if sign else "", "delay" if delay else "")
    return ", ".join(filter(None, parts))


def _sign(sign: Sign | None) -> str:
    return sign.value.replace("-", "−") if sign else "no sign"
