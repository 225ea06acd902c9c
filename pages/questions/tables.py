"""Tables of a run next to published values: corpus, topics, questions and periods."""

from __future__ import annotations

import streamlit as st

from components import state
from components.widgets.number_table import number_table
from core.words import sentence_case
from services.extraction import question_tables as lines
from services.extraction.made_questions import QuestionsOfRun
from services.extraction.question_tables import ALL, Unit

SCOPE = "questions.tables"
NO_VALUE = "–"
MOST_TOPICS = 20
PUBLISHED = "Lee et al."
TITLES = {
    1: "1: X–Y",
    2: "2: X–many Y",
    3: "3: many X–Y",
    4: "4: X–Y, X′–Y′",
    5: "5: direction",
    ALL: "All types",
}
FORMS = {Unit.COUNT: "{:,.0f}", Unit.MEAN: "{:.2f}", Unit.SHARE: "{:.1%}"}


def show(made_questions: QuestionsOfRun) -> None:
    """Draw tables 1, 2 and 10, and 9; the questions' table is with the list."""
    corpus = lines.corpus_lines(made_questions)
    st.markdown("**Corpus**")
    number_table(
        {
            "Measure": [sentence_case(each.measure) for each in corpus],
            "This run": [_number(each.value, each.unit) for each in corpus],
            PUBLISHED: [_number(each.published, each.unit) for each in corpus],
        },
        key=state.key(SCOPE, "corpus"),
        words=("Measure",),
        wide="Measure",
    )
    st.caption(
        "Table 1 of the paper. It does not say of which papers 1.87 is the mean; 11,869 relations are 0.79 for each of "
        "all 14,977."
    )
    _topics(made_questions)
    rows = lines.period_lines(made_questions)
    st.markdown("**Relations by period**")
    number_table(
        {
            "Period": [each.period for each in rows],
            "Relations": [f"{each.relations:,}" for each in rows],
            "Share": [_number(each.share, Unit.SHARE) for each in rows],
            PUBLISHED: [_number(each.published, Unit.SHARE) for each in rows],
        },
        key=state.key(SCOPE, "periods"),
        words=("Period",),
    )
    st.caption("Table 9 of the paper. The last period has six years.")


def questions(made_questions: QuestionsOfRun) -> None:
    """Draw table 3: by type and right answer, before and after filtering."""
    rows = lines.question_lines(made_questions)
    number_table(
        {
            "Type": [TITLES[each.type] for each in rows],
            "Right answer": [each.answer for each in rows],
            "Before filtering": [f"{each.before:,}" for each in rows],
            "After filtering": [_number(each.after, Unit.COUNT) for each in rows],
            f"{PUBLISHED}, after": [_number(each.published, Unit.COUNT) for each in rows],
        },
        key=state.key(SCOPE, "counts"),
        words=("Type", "Right answer"),
    )
    st.caption("Lee et al. print 67,914 questions before filtering, without types.")


def _topics(made_questions: QuestionsOfRun) -> None:
    rows = lines.topic_lines(made_questions)
    st.markdown("**Topics**")
    if not rows:
        st.caption("No topic: this run had no JEL codes. A new run takes a list of codes and titles.")
        return
    shown = lines.largest(rows, MOST_TOPICS)
    number_table(
        {
            "Code": [each.code for each in shown],
            "Topic": [each.title for each in shown],
            "X and Y": [f"{each.count:,}" for each in shown],
            PUBLISHED: [_number(each.published, Unit.COUNT) for each in shown],
        },
        key=state.key(SCOPE, "topics"),
        words=("Code", "Topic"),
        wide="Topic",
    )
    more = len(rows) - len(shown)
    left = f" {more:,} more are in table_topics.csv." if more else ""
    st.caption(f"The {MOST_TOPICS} most frequent, and those that Tables 2 and 10 of the paper name.{left}")


def _number(value: float | None, unit: Unit) -> str:
    return NO_VALUE if value is None else FORMS[unit].format(value)
