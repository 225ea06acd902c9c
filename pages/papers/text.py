"""Text of a figure's paper for models: made page by page, checked change by change, marked ready."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import streamlit as st

from components import shell, state
from components.desk.desk_state import DeskState
from components.desk.tab import Data, DeskTab, desk_key
from components.texts.desk import DeskStage, text_data, text_desk
from components.widgets.acts import keep, last_receipt
from core.errors import BadInput
from core.people import Permission, Receipt, Viewer
from core.texts.states import Stage, TextState
from core.texts.views import StageView, TextView, TruthState
from core.words import counted
from pages.papers.links import PAGE, follow, scope
from pages.papers.text_acts import HELD, apply, held_of
from pages.papers.text_sections import show_sections
from services.acting import consulting_once
from services.papers import figures
from services.papers.papers import PaperView
from services.texts import edits, making, mark_ready, reading

STATES = {
    TextState.DRAFT: "Draft",
    TextState.REFUSED: "A guard refuses it",
    TextState.READY: "Ready",
    TextState.UNFINISHED: "Rounds not ended",
}
# Longest total length, in characters, of figure labels shown side by side.
SHORT = 60
ASKS_AGAIN = (
    "The rounds of this text and what was rejected stay with the text as it is now. A new one begins at the file."
)


def show_text(viewer: Viewer, paper: PaperView) -> None:
    if not viewer.may(Permission.REVIEW):
        shell.forbidden_page("Text", Permission.REVIEW)
        return
    located = figures.figures_of(viewer, paper.id)
    if not located:
        st.text("No figure of this paper is located. A text is made for a figure, so locate it first.")
        return
    if len(located) == 1:
        figure = located[0]
    else:
        by_id = {figure.id: figure for figure in located}
        words = {figure.id: figure.label or figure.place for figure in located}
        name = state.key(PAGE, "text.figure")
        linked = state.read_param("figure")
        follow(name, linked if linked in by_id else located[0].id)

        def chose() -> None:
            state.write_param("figure", str(st.session_state[name]))

        # Segments need one click and draw faster than a select box; many or long labels need the list.
        if sum(map(len, words.values())) <= SHORT:
            chosen = st.segmented_control(
                "Figure",
                list(words),
                format_func=lambda key: shell.escaped(words[key]),
                key=name,
                required=True,
                label_visibility="collapsed",
                on_change=chose,
            )
        else:
            chosen = st.selectbox("Figure", list(words), format_func=words.__getitem__, key=name, on_change=chose)
        figure = by_id[str(chosen)]
    _screen(viewer, paper, figure.id)


@st.fragment
def _screen(viewer: Viewer, paper: PaperView, figure_id: str) -> None:
    """Draw the text as one fragment, so that an act redraws nothing else."""
    with shell.boundary(reload=partial(state.forget, HELD)):
        with consulting_once():
            tab = held_of(viewer, figure_id)
            if tab is None:
                st.text("No text was made for this figure yet. It takes about a second per page and no model.")
                form = state.key(PAGE, f"text.make.{figure_id}")
                if viewer.may(Permission.CURATE) and st.button(
                    "Make text", type="primary", key=state.act_key(form, "submit")
                ):
                    _generate(viewer, paper, figure_id, form, again=False)
                return
            tab.note(last_receipt(scope(paper.id)))
            tab.serve(viewer, partial(apply, figure_id), partial(_data, tab, figure_id))
            data = tab.mounted(viewer)
        shown = tab.shown
        with st.container(gap="xxsmall"):  # keeps the desk's position if rows above change
            _row(viewer, paper, shown)
            if tab.is_stale:
                with st.container(border=True, key=state.key(PAGE, "text.stale")):
                    st.markdown(
                        "**Another tab changed this text. Nothing was overwritten. Your last change is kept in this "
                        "tab.**"
                    )
                    st.button(
                        "Use newer version", type="primary", key=state.key(PAGE, "text.newer"), on_click=tab.use_newer
                    )
            if tab.trouble:
                st.error(shell.escaped(tab.trouble))
            if shown.staleness is not None:
                _outdated(viewer, paper, shown)
            show_sections(viewer, shown, partial(_done, paper))
        text_desk(desk_key(HELD, figure_id), data)


# --- making -----------------------------------------------------------------------------------------------------


def _generate(viewer: Viewer, paper: PaperView, figure_id: str, form: str, *, again: bool) -> None:
    bar = st.progress(0.0, "Reading pages")

    def progress(done: int, pages: int) -> None:
        bar.progress(done / pages, f"Page {done} of {pages}")

    keep(
        scope(paper.id),
        form,
        lambda act: making.make(viewer, figure_id, again=again, progress=progress, act_id=act),
        then=partial(state.forget, HELD),
    )


# --- above the desk ---------------------------------------------------------------------------------------------


def _row(viewer: Viewer, paper: PaperView, view: TextView) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=state.key(PAGE, "text.row")):
        parts = [view.in_words]
        if view.unseen:
            parts.append(f"{counted(view.unseen, 'invisible character')} left out")
        st.text(f"{'. '.join(parts)}.", width="stretch")
        if not viewer.may(Permission.CURATE):
            return
        form = state.key(PAGE, f"text.row.{view.figure_id}")
        if view.state is TextState.READY and st.button("Take back", key=state.act_key(form, "take_back")):
            _done(paper, form, partial(mark_ready.undo, viewer, view.figure_id, seen=view.version))
        if view.state is TextState.UNFINISHED and st.button("End rounds", key=state.act_key(form, "end")):
            _done(paper, form, partial(edits.end_rounds, viewer, view.figure_id, seen=view.version))
        if st.button("Apply changes…", key=state.act_key(form, "list")):
            _ask_list(viewer, paper, view)
        if st.button("Make again", key=state.act_key(form, "again")):
            _ask_again(viewer, paper, view.figure_id)


def _done(paper: PaperView, form: str, act: Callable[..., Receipt]) -> None:
    keep(scope(paper.id), form, lambda act_id: act(act_id=act_id), reload=partial(state.forget, HELD))


@st.dialog("Make the text again?")
def _ask_again(viewer: Viewer, paper: PaperView, figure_id: str) -> None:
    form = state.key(PAGE, f"text.again.{figure_id}")
    st.text(ASKS_AGAIN)
    if st.button("Make again", type="primary", key=state.act_key(form, "submit")):
        _generate(viewer, paper, figure_id, form, again=True)


@st.dialog("Apply a list of changes")
def _ask_list(viewer: Viewer, paper: PaperView, view: TextView) -> None:
    """Ask for a round of changes in the format of `text normalise`."""
    form = state.key(PAGE, f"text.list.{view.figure_id}")
    typed = st.text_area(
        "Changes (JSON)",
        placeholder='{"normalizations": [{"start": "…", "end": "…", "replacement": "…"}]}',
        height=220,
        key=state.act_key(form, "list"),
    )
    if st.button("Apply changes", type="primary", key=state.act_key(form, "submit"), disabled=not typed.strip()):
        with shell.boundary():
            try:
                document = json.loads(typed)
            except (json.JSONDecodeError, RecursionError) as error:
                where = f" in line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
                raise BadInput(f"This is not JSON{where}. Expected an object with the key normalizations.") from error
            _done(paper, form, partial(edits.add_round, viewer, view.figure_id, document, seen=view.version))


def _outdated(viewer: Viewer, paper: PaperView, view: TextView) -> None:
    staleness = view.staleness
    assert staleness is not None
    form = state.key(PAGE, f"text.confirm.{view.figure_id}")
    with st.container(border=True, key=state.key(PAGE, "text.outdated")):
        st.markdown(f"**{shell.escaped(staleness.in_words)}**")
        if viewer.may(Permission.CURATE) and staleness.difference is not None and not staleness.is_file_changed:
            st.text("If the change is not in the text, confirm it. If it is, change the text first.")
            if st.button("Confirm text", key=state.act_key(form, "submit")):
                _done(paper, form, partial(mark_ready.confirm, viewer, view.figure_id, seen=view.version))


# --- the desk ---------------------------------------------------------------------------------------------------


def _data(tab: DeskTab[TextView], figure_id: str, viewer: Viewer) -> Data:
    newest = reading.view(viewer, figure_id)
    view = tab.shown if newest is None else tab.show(newest.version, newest)
    note = STATES[view.state] if view.staleness is None else f"{STATES[view.state]}, stale"
    return text_data(
        DeskState(
            subject=f"{viewer.person_id}/{view.stages[0].text_id}",
            version=tab.seen,
            saved_at=tab.saved_at,
            note=note,
            editable=viewer.may(Permission.CURATE),
            can_undo=view.can_undo,
            can_redo=view.can_redo,
            halted=tab.is_stale,
        ),
        stages=[_stage(view, stage) for stage in view.stages],
        findings=view.leaks.findings if view.leaks is not None else (),
        unmet_requirements=view.unmet_requirements,
        is_ready=view.is_ready,
    )


def _stage(view: TextView, stage: StageView) -> DeskStage:
    guards = list[tuple[str, bool | None]]()
    if stage.stage is Stage.MARKDOWN:
        lost, invented = (sum(getattr(each, name) for each in view.kept.sections) for name in ("lost", "invented"))
        accepted = sum(each.accepted is not None for each in view.refused)
        of_people = f", {counted(accepted, 'section')} accepted" if accepted else ""
        guards.append((f"{lost:,} lost, {invented:,} invented{of_people}", accepted == len(view.refused)))
    elif stage.taken_out is not None:
        guards.append((f"{100 * stage.taken_out:.1f} % taken out", None))
    if stage.text_id == view.last.text_id:
        if view.leaks is None:
            guards.append(("ground truth open" if view.truth is TruthState.OPEN else "no ground truth", None))
        else:
            structural = sum(each.is_structural for each in view.leaks.findings)
            warnings = len(view.leaks.findings) - structural
            guards.append((f"{counted(structural, 'leak')}, {counted(warnings, 'warning')}", view.leaks.passes))
    verdicts = [passed for _, passed in guards if passed is not None]
    return DeskStage(
        text_id=stage.text_id,
        label=stage.label,
        url=f"/text/{stage.before_sha256}",
        size=counted(stage.words, "word"),
        guard=", ".join(words for words, _ in guards),
        has_passed=all(verdicts) if verdicts else None,
        changes=stage.changes,
    )
