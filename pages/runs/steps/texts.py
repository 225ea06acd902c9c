"""Texts texts by a run, to be accepted into the papers: one, or all whose guards pass."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from core.people import Permission, Viewer
from core.words import counted
from pages.runs.parts import PAGE, SCOPE
from services.texts import accept_generated, generated_texts
from services.texts.generated_texts import TextToTake

TAKE = "Take into papers"
# Texts listed; all are accepted together.
MOST = 100


def show_all(viewer: Viewer, run_id: str) -> None:
    """Draw all texts of a run; read only when the list is opened, as they may be long."""
    if not generated_texts.makes_texts(viewer, run_id):
        return
    _show_message()
    with st.expander("Texts made", key=_key("list"), on_change="rerun", icon=":material/description:") as opened:
        if not opened.open:
            return
        texts = generated_texts.texts_of_run(viewer, run_id)
        passing = sum(each.passes for each in texts)
        accepted = sum(each.is_taken for each in texts)
        if not texts:
            st.caption("No text yet. The steps before it are not done.")
            return
        st.markdown(f"**{counted(len(texts), 'text')}** · {passing:,} to take whose guards pass · {accepted:,} taken")
        if viewer.may(Permission.CURATE) and passing:
            with shell.boundary():
                if st.button(TAKE, icon=":material/move_to_inbox:", key=_key("all")):
                    _take_all(viewer, run_id)
        st.dataframe(
            {
                "Paper": [each.key for each in texts[:MOST]],
                "Text": [_text_state(each) for each in texts[:MOST]],
                "Words": [each.words for each in texts[:MOST]],
                "Rounds": [each.rounds for each in texts[:MOST]],
                "Model": [", ".join(dict.fromkeys(each.by)) for each in texts[:MOST]],
            },
            hide_index=True,
            key=_key("table"),
        )
        if len(texts) > MOST:
            st.caption(f"{len(texts) - MOST:,} more. The export of the run has all.")


def show_group(viewer: Viewer, run_id: str, key: str) -> None:
    if not generated_texts.makes_texts(viewer, run_id):
        return
    _show_message()
    for text in generated_texts.texts_of_run(viewer, run_id, key):
        with st.container(border=True, key=_key(text.id)):
            st.markdown(f":material/description: **{shell.escaped(_text_state(text))}**")
            parts = [
                *([counted(text.words, "word")] if text.words else []),
                *([counted(text.rounds, "round")] if text.rounds else []),
                *(["with levels"] if text.levels and text.words else []),
                *dict.fromkeys(text.by),
            ]
            st.caption(shell.escaped(" · ".join(parts)))
            for reason in text.reasons:
                st.markdown(f":material/block: {shell.escaped(reason)}")
            if text.is_taken:
                links.page_button("Open paper", "papers", {}, key=_key(f"paper.{text.id}"))
            elif viewer.may(Permission.CURATE) and not text.obstacle:
                _take_one(viewer, text)


def _text_state(text: TextToTake) -> str:
    if text.is_taken:
        return "Taken into the papers"
    if text.obstacle:
        return text.obstacle
    return {
        "draft": "Guards pass",
        "refused": "Refused by a guard",
        "unfinished": "Unfinished: the last round still asks for changes",
        "levels": "Levels of nodes",
    }[text.state]


def _take_one(viewer: Viewer, text: TextToTake) -> None:
    form = state.key(PAGE, f"texts.take.{text.id}")
    with shell.boundary():
        if st.button(
            TAKE,
            type="primary" if text.passes else "secondary",
            icon=":material/move_to_inbox:",
            key=state.act_key(form, "take"),
        ):
            acts.keep(
                SCOPE,
                form,
                lambda act_id: accept_generated.take(viewer, text.id, seen=text.version, act_id=act_id),
            )


def _take_all(viewer: Viewer, run_id: str) -> None:
    form = state.key(PAGE, f"texts.take_all.{run_id}")
    outcome = accept_generated.take_all(viewer, run_id, act_id=state.act_id(form))
    state.spend(form)
    refused = [f"{key}: {why}" for key, why in outcome.refused[:5]]
    more = [f"{len(outcome.refused) - 5:,} more."] if len(outcome.refused) > 5 else []
    left = [f"{counted(len(outcome.refused), 'text')} left:", *refused, *more] if outcome.refused else []
    st.session_state[_key("told")] = "\n\n".join([f"{counted(len(outcome.taken), 'text')} taken.", *left])
    st.rerun()


def _show_message() -> None:
    message = st.session_state.pop(_key("told"), "")
    if message:
        st.info(shell.escaped(message), icon=":material/move_to_inbox:")


def _key(name: str) -> str:
    return state.key(PAGE, f"texts.{name}")
