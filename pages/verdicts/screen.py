"""Verdicts: the sheets that wait for a reviewer, what they labelled, and for those who set it up, draws."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from components.widgets.number_table import number_table
from components.widgets.work_list import WorkLine, work_list
from core.errors import EdgewiseError
from core.people import May, Viewer
from core.verdicts.label_words import SECTION_WORDS
from core.verdicts.review import DrawnBy
from core.words import counted, sentence_case
from pages.verdicts import audit, editor, settings
from pages.verdicts.acts import PAGE
from services.acting import consulting_once
from services.queue.work import QueueCounts, claim_next, resume, waiting
from services.runs import reading as runs
from services.verdicts import claims, reading, samples
from services.verdicts.reading import SheetLine
from services.verdicts.work_kind import SHEETS

FAILED = state.key(PAGE, "failed")
STATES = {"open": "Unfinished", "lapsed": "Expired", "skipped": "Skipped", "submitted": "Submitted"}
DRAWS = {
    DrawnBy.RANDOM: "At random",
    DrawnBy.STRATIFIED: "By section and presence",
    DrawnBy.DISAGREEMENT: "Where judges differ",
}
FIRST_WORDS = (
    "A judge is a model that compares a predicted graph with the text and the true graph, label by label. You give "
    "your own labels first, with keys, and then see the judge's. Where you differ, keep yours with a reason, or say "
    "that the judge is right. Only labels given before the judge's were shown say how good a judge is."
)


@consulting_once()
def show(viewer: Viewer) -> None:
    """The list, the sheet that the link names, or one item of a judge's verdict (judged=…)."""
    if judged := state.read_param("judged"):
        _choose(viewer, judged)
    opened = state.read_param("sheet")
    if not opened:
        _list(viewer)
    elif _can_open(viewer, opened):
        editor.show(viewer)


def _choose(viewer: Viewer, item_id: str) -> None:
    """A link to a judge's item opens it where its verdict is visible."""
    name = state.key(PAGE, f"chosen.{item_id}")
    number = state.read_param("item")
    with shell.boundary():
        receipt = claims.choose(
            viewer, item_id, int(number) if number.isdecimal() and len(number) < 6 else None, act_id=state.act_id(name)
        )
        state.spend(name)
        state.write_param("sheet", receipt.subject_id)
    state.write_param("judged", "")


def _can_open(viewer: Viewer, assignment_id: str) -> bool:
    """Whether the link leads somewhere; if not, why, and the way back."""
    can_open = False
    with shell.boundary():
        reading.check_own(viewer, assignment_id)
        can_open = True
    if not can_open:
        st.button("All sheets", key=state.key(PAGE, "all"), on_click=editor.leave)
    return can_open


PARTS = {"label": "Label", "audit": "Judges", "settings": "Settings"}


def _list(viewer: Viewer) -> None:
    with shell.top_row("Verdicts", acts.last_receipt(PAGE)):
        part = _choose_part(viewer)
    if part == "audit":
        audit.show(viewer)
        return
    if part == "settings":
        settings.of_study(viewer)
        return
    mine, waits = reading.my_sheets(viewer), waiting(viewer, SHEETS)
    _next(viewer, mine, waits)
    if not any(line.state == "submitted" for line in mine):
        st.caption(FIRST_WORDS)
    if mine:
        st.subheader("Your sheets", anchor=False)
        by_id = {line.assignment_id: line for line in mine}
        work_list(
            [_work_line(line) for line in mine],
            key=state.key(PAGE, "mine"),
            on_choose=lambda chosen: _go_on(viewer, by_id[chosen]),
        )
    if viewer.may(May.ASSIGN):
        _draws(viewer)


def _choose_part(viewer: Viewer) -> str:
    """Labelling, how good the judges are, or settings for those who set them; the choice is kept in the link."""
    name = state.key(PAGE, "part")
    parts = [each for each in PARTS if each != "settings" or viewer.may(May.ASSIGN)]
    if name not in st.session_state:
        asked = state.read_param("show")
        st.session_state[name] = asked if asked in parts else "label"
    part = st.segmented_control(
        "Part", parts, format_func=PARTS.__getitem__, key=name, label_visibility="collapsed", required=True
    )
    state.write_param("show", "" if part == "label" else str(part))
    return str(part)


def _next(viewer: Viewer, mine: Sequence[SheetLine], waits: QueueCounts) -> None:
    failed = st.session_state.pop(FAILED, "")
    if failed:
        st.error(shell.escaped(failed))
    begun = next((line for line in mine if line.state == "open"), None)
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=state.key(PAGE, "card")):
        with st.container(gap=None, width="stretch"):
            words = _title(begun) if begun else f"{counted(waits.free, 'sheet')} in your queue"
            st.markdown(f"**{shell.escaped(words if begun or waits.free else 'No sheets in your queue')}**")
            st.caption(shell.escaped(_about(begun, waits)))
        if begun or waits.free:
            name = state.key(PAGE, "take")
            st.button(
                "Continue sheet" if begun else "Take next sheet",
                type="primary",
                key=state.act_key(name),
                on_click=_take,
                args=(viewer, name, state.act_id(name)),
            )


def _title(line: SheetLine) -> str:
    return f"{line.title} · {SECTION_WORDS[line.section]}"


def _about(begun: SheetLine | None, waits: QueueCounts) -> str:
    if begun is not None:
        return f"{begun.labelled} of {begun.items} compared"
    return "A sheet is up to 12 items of one section." if waits.free else "Sheets appear here when they are drawn."


def _take(viewer: Viewer, name: str, act_id: str) -> None:
    """A callback: what is next is asked for at this moment."""
    try:
        receipt = claim_next(viewer, SHEETS, act_id=act_id)
    except EdgewiseError as error:
        st.session_state[FAILED] = str(error)
        return
    state.spend(name)
    state.write_param("sheet", receipt.subject_id)


def _work_line(line: SheetLine) -> WorkLine:
    at = shell.moment(line.submitted_at or line.claimed_at)
    return WorkLine(
        id=line.assignment_id,
        title=_title(line),
        detail=DRAWS.get(line.drawn_by, "Chosen"),
        state=STATES[line.state].lower(),
        counts=f"{line.labelled} of {line.items} compared · {'submitted' if line.submitted_at else 'taken'} {at}",
        comment="",
        verb={"open": "Continue", "submitted": "Open"}.get(line.state, "Resume"),
    )


def _go_on(viewer: Viewer, line: SheetLine) -> None:
    """Open it; one that was skipped or lapsed is taken up again first, if there is still room."""
    if line.state in ("skipped", "lapsed"):
        name = state.key(PAGE, f"resume.{line.assignment_id}")
        resume(viewer, SHEETS, line.assignment_id, act_id=state.act_id(name))
        state.spend(name)
    state.write_param("sheet", line.assignment_id)


# --- draws -------------------------------------------------------------------------------------------------------


def _draws(viewer: Viewer) -> None:
    judges = {run.number: run for run in runs.choices(viewer) if "judge" in run.tasks}
    st.subheader("Draw sheets", anchor=False)
    if not judges:
        st.caption("No run of judges yet. Judge a finished run, then draw sheets of its verdicts.")
        links.page_button("Open runs", "runs", {}, key=state.key(PAGE, "runs"))
        return
    form = state.key(PAGE, "draw")
    with shell.boundary(partial(state.spend, form)):
        number = st.selectbox(
            "Run of judges",
            list(judges),
            format_func=lambda each: f"Run {each}: {judges[each].title}",
            key=state.key(PAGE, "draw.run"),
        )
        row = st.form(state.act_key(form), border=False).container(horizontal=True, vertical_alignment="bottom")
        with row:
            by = st.selectbox(
                "Draw", list(DRAWS), format_func=DRAWS.__getitem__, key=state.act_key(form, "by"), width=260
            )
            items = st.number_input("Items", 1, samples.MOST_ITEMS, 48, key=state.act_key(form, "items"), width=140)
            seed = st.number_input("Random seed", 0, 2**31 - 1, 1, key=state.act_key(form, "seed"), width=140)
            is_drawn = st.form_submit_button("Draw sheets", key=state.act_key(form, "go"))
        if is_drawn:
            acts.keep(
                PAGE,
                form,
                lambda act_id: samples.draw(viewer, str(number), by, int(items), int(seed), act_id=act_id),
                reload=partial(state.spend, form),
            )
        lines = samples.drawn_of(viewer, str(number))
        if lines:
            number_table(
                {
                    "Drawn": [DRAWS.get(line.drawn_by, sentence_case(line.drawn_by.value)) for line in lines],
                    "Seed": ["–" if line.seed is None else str(line.seed) for line in lines],
                    "Sheets": [f"{line.sheets:,}" for line in lines],
                    "Items": [f"{line.items:,}" for line in lines],
                    "Submitted": [f"{line.submitted:,}" for line in lines],
                },
                key=state.key(PAGE, "drawn"),
                words=("Drawn",),
            )
