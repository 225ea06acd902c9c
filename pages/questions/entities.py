"""Entities of several phrases, largest first: phrases with papers, and decisions to split."""

from __future__ import annotations

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from components.widgets.choosing import choose_several
from core.people import Viewer
from core.words import counted
from services.extraction import made_questions as made
from services.extraction.made_questions import DECIDED_IN, EntityLine, QuestionsOfRun

SCOPE = "questions.of_run"
MOST_SHOWN = 100
MOST_PAPERS = 5


def show(viewer: Viewer, made_questions: QuestionsOfRun) -> None:
    if not made_questions.entities:
        st.caption("No entity has several phrases.")
        return
    chains = sum(each.is_chain for each in made_questions.entities)
    waiting = [each for each in made_questions.entities if each.is_waiting]
    decided = [each for each in made_questions.entities if each.is_decided]
    how = "" if waiting or decided or not chains else " To split them, start a run in which people decide on chains."
    st.caption(
        f"{counted(len(made_questions.entities), 'entity')} of several phrases; the largest has "
        f"{counted(len(made_questions.entities[0].phrases), 'phrase')}. {chains:,} held together by a chain alone: "
        f"two of their phrases are less alike than the threshold.{how}"
    )
    if any(not each.can_undo for each in decided):
        st.caption("Questions rest on these decisions. To decide again, redo the step as a new run.")
        about = {"show": "new", "redo": str(made_questions.run), "step": DECIDED_IN}
        links.page_button("Redo step", "runs", about, key=state.key(SCOPE, "redo"))
    for each in [*waiting, *(each for each in made_questions.entities if not each.is_waiting)][:MOST_SHOWN]:
        _entity(viewer, each)
    if len(made_questions.entities) > MOST_SHOWN:
        st.caption(f"{len(made_questions.entities) - MOST_SHOWN:,} more are in entities.csv.")


def _entity(viewer: Viewer, entity: EntityLine) -> None:
    with st.container(border=True, gap="small", key=state.key(SCOPE, f"entity.{entity.made}")):
        least = "" if entity.least is None else f", least cosine {entity.least:.3f}"
        chain = " · chain" if entity.is_chain else ""
        st.markdown(f"**{shell.escaped(entity.name)}**")
        st.caption(f"{counted(len(entity.phrases), 'phrase')}{least}{chain}")
        for phrase, papers in entity.phrases:
            more = f" and {len(papers) - MOST_PAPERS:,} more" if len(papers) > MOST_PAPERS else ""
            st.text(f"{phrase} ({', '.join(papers[:MOST_PAPERS])}{more})")
        if entity.parts is not None:
            st.caption(shell.escaped("Split: " + " | ".join(", ".join(part) for part in entity.parts)))
        elif entity.is_decided:
            st.caption("Decided: one entity.")
        if entity.is_waiting:
            split_form = state.key(SCOPE, f"split.{entity.made}")
            with st.form(state.act_key(split_form, "form"), border=False):
                out = choose_several(
                    "Phrases of another entity",
                    [phrase for phrase, _ in entity.phrases],
                    key=state.act_key(split_form, "out"),
                    placeholder="None: all are one entity",
                )
                why = st.text_input(
                    "Reason", key=state.act_key(split_form, "why"), max_chars=200, placeholder="Needed for a split"
                )
                if st.form_submit_button("Save decision", type="primary"):
                    acts.keep(
                        SCOPE,
                        split_form,
                        lambda act_id: made.split_entity(viewer, entity, list(out), why, act_id=act_id),
                    )
        elif entity.can_undo:
            form = state.key(SCOPE, f"undo.{entity.made}")
            if st.button("Undo", key=state.act_key(form), help="Until the next step has used this decision."):
                acts.keep(SCOPE, form, lambda act_id: made.undo_split(viewer, entity, act_id=act_id))
