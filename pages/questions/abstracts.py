"""One abstract: relations marked in the text, and a column per extraction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components import shell, state
from components.widgets.highlighted_text import highlighted_text
from components.widgets.number_table import number_table
from core.questions.wordings import found_nowhere, wordings
from core.triplets.phrases import highlight_phrases
from core.words import quoted
from services.extraction.made_questions import QuestionsOfRun

SCOPE = "questions.of_run"


def show(made_questions: QuestionsOfRun) -> None:
    if not made_questions.consensus:
        st.caption("No abstract yet. Abstracts appear once their extractions are done.")
        return
    papers = sorted(made_questions.consensus)
    linked = state.read_param("paper")
    chosen = st.selectbox(
        "Abstract",
        papers,
        papers.index(linked) if linked in papers else 0,
        format_func=lambda each: f"{each} · {made_questions.abstracts[each].title}",
        key=state.key(SCOPE, "paper"),
    )
    state.write_param("paper", chosen)
    value = made_questions.consensus[chosen]
    accepted = len(value["kept"])
    rows = [*value["kept"], *value["dropped"]]
    paper = made_questions.abstracts[chosen]
    marked = wordings(rows)
    phrases = [each.phrase for each in marked]
    names = [each.name for each in marked]
    faint = {place for place, each in enumerate(marked) if each.number > accepted}
    in_title, in_abstract = highlight_phrases(paper.title, phrases), highlight_phrases(paper.abstract, phrases)
    with st.container(border=True, gap="small", key=state.key(SCOPE, "abstract")):
        st.html(f'<p style="font-weight:600;margin:0">{highlighted_text(in_title, names, faint)}</p>')
        abstract = highlighted_text(in_abstract, names, faint)
        st.html(f'<p style="white-space:pre-line;overflow-wrap:anywhere;margin:0">{abstract}</p>')
    missing = [f"{each.name} {quoted(each.phrase)}" for each in found_nowhere(marked, (in_title, in_abstract))]
    if missing:
        st.caption(shell.escaped(f"Not found word for word: {', '.join(missing)}."))
    if value.get("unread"):
        st.caption("Not every extraction could be read, so this abstract keeps no relation.")
    elif not rows:
        st.caption("No extraction found a relation in this abstract.")
    if rows:
        _extractions(rows, accepted, range(1, int(value["runs"]) + 1))


# --- the text ----------------------------------------------------------------------------------------------------


# --- the extractions ---------------------------------------------------------------------------------------------


def _extractions(rows: Sequence[Mapping[str, Any]], accepted: int, runs: range) -> None:
    by_run = [{each["run"]: each for each in row["members"]} for row in rows]
    number_table(
        {
            "No.": [f"{number}" for number in range(1, len(rows) + 1)],
            "X": [row["X"] for row in rows],
            "Direction": [row["d"] for row in rows],
            "Y": [row["Y"] for row in rows],
            "Outcome": ["accepted" if number < accepted else "rejected" for number in range(len(rows))],
            **{
                f"Extraction {run}": [_wording(each.get(run), row) for each, row in zip(by_run, rows, strict=True)]
                for run in runs
            },
        },
        key=state.key(SCOPE, "lane"),
        words=("X", "Direction", "Y", "Outcome", *(f"Extraction {run}" for run in runs)),
    )
    st.caption("Numbers are those in the text: X1 and Y1 are the first relation's. Underlined: of rejected ones alone.")


def _wording(member: Mapping[str, Any] | None, row: Mapping[str, Any]) -> str:
    """Return an extraction's wording; \"same\" if it does not differ."""
    if member is None:
        return "–"
    return "same" if (member["X"], member["Y"]) == (row["X"], row["Y"]) else f"{member['X']} → {member['Y']}"
