"""Questions of a run: counts, examples, entities, abstracts, tables, validation, and freezing."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from core.people import Permission, Viewer
from core.questions.claims import RULES, Claims
from core.questions.questions import TYPES, Question, Statement
from core.seeded_random import shuffled
from core.words import counted
from pages.questions import abstracts, entities, freeze, tables, validate
from services.extraction import made_questions as made
from services.extraction.made_questions import QuestionsOfRun

SCOPE = "questions.of_run"
PARTS = {
    "questions": "Questions",
    "entities": "Entities",
    "abstracts": "Abstracts",
    "tables": "Tables",
    "validate": "Validate",
}
EXAMPLES, MOST_PAPERS = 20, 5


def show(viewer: Viewer) -> None:
    """Draw the questions of `?run=3`; `part` is one of `PARTS`."""
    run = state.read_param("run")
    with shell.boundary():
        made_questions = made.made_questions(viewer, run)
        with shell.top_row(f"Questions of run {made_questions.run}", acts.last_receipt(SCOPE)):
            links.page_button("Run", "runs", {"run": run}, key=state.key(SCOPE, "run"))
            if viewer.may(Permission.RUN):
                freeze.button(viewer, run)
        part = _part(sum(each.is_waiting for each in made_questions.entities))
        if part == "entities":
            entities.show(viewer, made_questions)
        elif part == "abstracts":
            abstracts.show(made_questions)
        elif part == "tables":
            tables.show(made_questions)
        elif part == "validate":
            validate.show(viewer, run)
        else:
            _questions(made_questions)


def _part(waiting: int) -> str:
    name = state.key(SCOPE, "part")
    if st.session_state.get(name) not in PARTS:
        linked = state.read_param("part")
        st.session_state[name] = linked if linked in PARTS else "questions"
    part = str(
        st.segmented_control(
            "Part",
            list(PARTS),
            format_func=lambda each: f"{PARTS[each]} ({waiting})" if each == "entities" and waiting else PARTS[each],
            key=name,
            label_visibility="collapsed",
            required=True,
        )
    )
    state.write_param("part", "" if part == "questions" else part)
    return part


# --- questions --------------------------------------------------------------------------------------------------


def _questions(made_questions: QuestionsOfRun) -> None:
    if not made_questions.questions:
        st.caption("No question yet. Questions are made once all abstracts are extracted.")
    else:
        tables.questions(made_questions)
        counts = [
            f"{counted(len(made_questions.relations), 'relation')} of {counted(made_questions.papers, 'abstract')}",
            f"{counted(len(made_questions.contradicted), 'pair')} with several directions, not in type 5",
            f"{counted(made_questions.without_false, 'statement')} without a false form",
        ]
        if made_questions.waiting:
            counts.append(f"{counted(len(made_questions.waiting), 'question')} waiting for a small model")
        st.caption(f"{'; '.join(counts)}.")
    kinds = [kind for kind in TYPES if any(each.type == kind for each in made_questions.questions)]
    if kinds:
        kind = st.pills("Examples of type", kinds, default=kinds[0], key=state.key(SCOPE, "kind"), required=True)
        by_id = {each.id: each for each in made_questions.questions if each.type == kind}
        claims = Claims(made_questions.relations)
        for key in shuffled(1, "examples", by_id)[:EXAMPLES]:
            _example(by_id[key], claims)


def _example(question: Question, claims: Claims) -> None:
    easy = {True: " · easy", False: "", None: " · not filtered"}[question.is_easy]
    with st.container(border=True, gap=None, key=state.key(SCOPE, f"example.{question.id}")):
        if question.given is not None:
            st.text(f"Given: {_words(question.given)}")
        ending = "?" if question.asked.direction else ": which direction?"
        st.text(f"{_words(question.asked)}{ending}")
        about = [_few(question.papers), question.period or "no period", ", ".join(question.letters) or "no JEL letter"]
        st.caption(shell.escaped(f"Right: {question.answer}{easy} · {' · '.join(about)}"))
        claimed = "; ".join(f"{_words(claim)} ({_few(papers)})" for claim, papers in claims.of(question).items())
        st.caption(shell.escaped(f"{RULES[question.type]}. Claimed: {claimed}"))


def _few(papers: Sequence[str]) -> str:
    more = f" and {len(papers) - MOST_PAPERS:,} more" if len(papers) > MOST_PAPERS else ""
    return ", ".join(papers[:MOST_PAPERS]) + more


def _words(claim: Statement) -> str:
    pair = f"{claim.treatment} → {claim.outcome}"
    return f"{pair}: {claim.direction}" if claim.direction else pair
