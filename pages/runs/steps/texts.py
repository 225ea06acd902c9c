"""Texts that a run made, to be taken into the papers: one, or all whose guards pass."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from core.people import May, Viewer
from core.words import counted
from pages.runs.parts import PAGE, SCOPE
from services.texts import made_texts, taking
from services.texts.made_texts import TextToTake

TAKE = "Take into papers"
MOST = 100
"""Texts that are listed; all are taken together."""


def show_all(viewer: Viewer, run_id: str) -> None:
    """All texts of a run, read when the list is opened, since they may be long."""
    if not made_texts.makes_texts(viewer, run_id):
        return
    _told()
    with st.expander("Texts made", key=_key("list"), on_change="rerun", icon=":material/description:") as opened:
        if not opened.open:
            return
        found = made_texts.texts_of_run(viewer, run_id)
        passing = sum(each.passes for each in found)
        taken = sum(each.is_taken for each in found)
        if not found:
            st.caption("No text yet. The steps before it are not done.")
            return
        st.markdown(f"**{counted(len(found), 'text')}** · {passing:,} to take whose guards pass · {taken:,} taken")
        if viewer.may(May.CURATE) and passing:
            with shell.boundary():
                if st.button(TAKE, icon=":material/move_to_inbox:", key=_key("all")):
                    _take_all(viewer, run_id)
        st.dataframe(
            {
                "Paper": [each.key for each in found[:MOST]],
                "Text": [_standing(each) for each in found[:MOST]],
                "Words": [each.words for each in found[:MOST]],
                "Rounds": [each.rounds for each in found[:MOST]],
                "Model": [", ".join(dict.fromkeys(each.by)) for each in found[:MOST]],
            },
            hide_index=True,
            key=_key("table"),
        )
        if len(found) > MOST:
            st.caption(f"{len(found) - MOST:,} more. The export of the run has all.")


def show_group(viewer: Viewer, run_id: str, key: str) -> None:
    """The texts of one paper, each with why its guards refuse it."""
    if not made_texts.makes_texts(viewer, run_id):
        return
    _told()
    for each in made_texts.texts_of_run(viewer, run_id, key):
        with st.container(border=True, key=_key(each.id)):
            st.markdown(f":material/description: **{shell.escaped(_standing(each))}**")
            parts = [
                *([counted(each.words, "word")] if each.words else []),
                *([counted(each.rounds, "round")] if each.rounds else []),
                *(["with levels"] if each.levels and each.words else []),
                *dict.fromkeys(each.by),
            ]
            st.caption(shell.escaped(" · ".join(parts)))
            for reason in each.reasons:
                st.markdown(f":material/block: {shell.escaped(reason)}")
            if each.is_taken:
                links.page_button("Open paper", "papers", {}, key=_key(f"paper.{each.id}"))
            elif viewer.may(May.CURATE) and not each.hindrance:
                _take_one(viewer, each)


def _standing(each: TextToTake) -> str:
    """ "Draft", "Refused: …", "Taken"."""
    if each.is_taken:
        return "Taken into the papers"
    if each.hindrance:
        return each.hindrance
    return {
        "draft": "Guards pass",
        "refused": "Refused by a guard",
        "unfinished": "Unfinished: the last round still asks for changes",
        "levels": "Levels of nodes",
    }[each.state]


def _take_one(viewer: Viewer, each: TextToTake) -> None:
    form = state.key(PAGE, f"texts.take.{each.id}")
    with shell.boundary():
        if st.button(
            TAKE,
            type="primary" if each.passes else "secondary",
            icon=":material/move_to_inbox:",
            key=state.act_key(form, "take"),
        ):
            acts.keep(
                SCOPE,
                form,
                lambda act_id: taking.take(viewer, each.id, seen=each.version, act_id=act_id),
            )


def _take_all(viewer: Viewer, run_id: str) -> None:
    form = state.key(PAGE, f"texts.take_all.{run_id}")
    found = taking.take_all(viewer, run_id, act_id=state.act_id(form))
    state.spend(form)
    refused = [f"{key}: {why}" for key, why in found.refused[:5]]
    more = [f"{len(found.refused) - 5:,} more."] if len(found.refused) > 5 else []
    left = [f"{counted(len(found.refused), 'text')} left:", *refused, *more] if found.refused else []
    st.session_state[_key("told")] = "\n\n".join([f"{counted(len(found.taken), 'text')} taken.", *left])
    st.rerun()


def _told() -> None:
    said = st.session_state.pop(_key("told"), "")
    if said:
        st.info(shell.escaped(said), icon=":material/move_to_inbox:")


def _key(name: str) -> str:
    return state.key(PAGE, f"texts.{name}")
