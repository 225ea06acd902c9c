"""Verdicts: the reviewer's queue, own sheets, and draws of sheets."""

from __future__ import annotations

from functools import partial

import streamlit as st

from components import links, shell, state
from components.desk.work_screen import LineWords, can_open, next_card, own_list
from components.widgets import acts
from components.widgets.choosing import choose_part
from components.widgets.number_table import number_table
from core.people import Permission, Viewer
from core.verdicts.label_words import SECTION_WORDS
from core.verdicts.review import DrawnBy
from core.words import counted, sentence_case
from pages.verdicts import audit, editor
from pages.verdicts.acts import PAGE, SCREEN
from pages.work_queue.screens import done_card
from services.acting import consulting_once
from services.queue.work import check_own, waiting
from services.runs import reading as runs
from services.verdicts import claims, reading, samples
from services.verdicts.reading import SheetLine
from services.verdicts.work_kind import SHEETS

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
    if judged := state.read_param("judged"):
        name = state.key(PAGE, f"chosen.{judged}")
        number = state.read_param("item")
        with shell.boundary():
            receipt = claims.choose(
                viewer,
                judged,
                int(number) if number.isdecimal() and len(number) < 6 else None,
                act_id=state.act_id(name),
            )
            state.spend(name)
            state.write_param("sheet", receipt.subject_id)
        state.write_param("judged", "")
    opened = state.read_param("sheet")
    if not opened:
        _list(viewer)
    elif can_open(SCREEN, lambda: check_own(viewer, SHEETS, opened), "All sheets"):
        editor.show(viewer)


PARTS = {"label": "Label", "audit": "Judges"}


def _list(viewer: Viewer) -> None:
    with shell.top_row("Verdicts", acts.last_receipt(PAGE)):
        part = choose_part(PAGE, PARTS)
        if viewer.may(Permission.ASSIGN):
            links.page_button("Settings", "settings", {"show": "verdicts"}, key=state.key(PAGE, "settings"))
    if part == "audit":
        audit.show(viewer)
        return
    own, waits = reading.my_sheets(viewer), waiting(viewer, SHEETS)
    unfinished = next((line for line in own if line.state == "open"), None)
    has_submitted = any(line.state == "submitted" for line in own)
    if unfinished is not None:
        words = _title(unfinished), f"{unfinished.labelled} of {unfinished.items} compared"
        next_card(viewer, SCREEN, words, "Continue sheet")
    elif waits.free:
        words = f"{counted(waits.free, 'sheet')} in your queue", "A sheet is up to 12 items of one section."
        next_card(viewer, SCREEN, words, "Take next sheet")
    else:
        done = "All sheets in your queue are labelled" if has_submitted else "No sheets in your queue"
        done_card(viewer, PAGE, done, "Sheets appear here when they are drawn.")
    if not has_submitted:
        st.caption(FIRST_WORDS)
    own_list(viewer, SCREEN, "Your sheets", own, _words)
    if viewer.may(Permission.ASSIGN):
        _draws(viewer)


def _title(line: SheetLine) -> str:
    return f"{line.title} · {SECTION_WORDS[line.section]}"


def _words(line: SheetLine) -> LineWords:
    drawn = DRAWS.get(line.drawn_by, "Chosen")
    return LineWords(_title(line), drawn, f"{line.labelled} of {line.items} compared")


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
