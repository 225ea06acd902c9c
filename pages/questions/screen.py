"""Questions: the frozen question sets of the study, or by `?run=3` the questions that a run made."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from components import links, shell, state
from components.widgets import acts
from components.widgets.charts import show_chart
from components.widgets.choosing import choose_line
from components.widgets.data_page import data_page
from components.widgets.downloads import content_on_click
from components.widgets.moments import day_column
from components.widgets.number_table import number_table
from core.analysis.charts import Chart, ChartKind, Point, chart_of_points
from core.people import Permission, Viewer
from core.questions.questions import ANSWERS, TYPES
from core.words import counted
from pages.questions import of_run
from services.acting import consulting_once
from services.questions import sets
from services.questions.sets import QuestionSetLine
from services.runs.run_settings import link_to_new_run

PAGE = "questions"
TITLES = {1: "1: X–Y", 2: "2: X–many Y", 3: "3: many X–Y", 4: "4: X–Y, X′–Y′", 5: "5: direction"}
HOW = """\
- A question counts once, in its type, by its right answer.
- **Easy** questions are those that all small models of the run answered rightly without help (Lee et al. 2025). They
  stay in the file, and a run leaves them out unless it asks them too.
- – means that a type does not have this answer.
"""
ALL_ANSWERS = tuple(dict.fromkeys(answer for kind in TYPES for answer in ANSWERS[kind]))


@consulting_once()
def show(viewer: Viewer) -> None:
    if state.read_param("run") and viewer.may(Permission.RUN):
        of_run.show(viewer)
    else:
        _sets(viewer)


def _sets(viewer: Viewer) -> None:
    shell.top_row("Questions", acts.last_receipt(PAGE))
    every = sets.question_sets(viewer, with_archived=True)
    if not every:
        st.caption("No question set yet. A run on abstracts makes one; a file is imported under Import / export.")
        if viewer.may(Permission.RUN):
            makes = link_to_new_run("corpus", "")
            links.page_button("New run", "runs", makes, key=state.key(PAGE, "new"), is_primary=True)
        return
    by_number = {str(each.number): each for each in every}
    linked = state.read_param("set")
    chosen = choose_line(
        list(by_number),
        {
            "Set": list(by_number),
            "Title": [each.title for each in every],
            "Questions": [f"{each.questions:,}" for each in every],
            "Easy": [f"{each.easy:,}" for each in every],
            "Licence": [each.licence or "unknown" for each in every],
            "Frozen": [shell.local_time(each.frozen_at) for each in every],
            "State": ["archived" if each.is_archived else "active" for each in every],
        },
        name=state.key(PAGE, "sets"),
        chosen=linked if linked in by_number else next(iter(by_number)),
        columns={"Frozen": day_column()},
    ) or next(iter(by_number))
    state.write_param("set", chosen)
    _set(viewer, by_number[chosen])


def _set(viewer: Viewer, question_set: QuestionSetLine) -> None:
    origin = f" from {question_set.origin}" if question_set.origin else ""
    st.caption(
        shell.escaped(
            f"Question set {question_set.number}{origin}, frozen {shell.moment(question_set.frozen_at)}. "
            f"SHA-256 {question_set.sha256[:16]}…"
        )
    )
    easy = f"; {question_set.easy:,} more are easy and left out here" if question_set.easy else ""
    with data_page(
        f"**{counted(question_set.questions - question_set.easy, 'question')}** of five types{easy}.",
        HOW,
        key=state.key(PAGE, "data"),
    ):
        show_chart(_chart(question_set), state.key(PAGE, "chart"))
        counts_table(question_set.kept, "Questions by type and right answer, without easy ones", "kept")
        if question_set.easy:
            counts_table(question_set.counts, "With easy ones", "all")
    with st.container(horizontal=True, key=state.key(PAGE, "acts")):
        if viewer.may(Permission.EXPORT):
            st.download_button(
                "Download set",
                content_on_click(sets.export_questions, viewer, question_set.number),
                f"questions-{question_set.number}.jsonl",
                sets.JSON_LINES,
                on_click="ignore",
                key=state.key(PAGE, "get"),
            )
        if viewer.may(Permission.CURATE):
            with st.popover("Edit set", icon=":material/edit:"):
                st.caption("An archived set disappears from new runs. Runs that took it stay, and it can be restored.")
                form = state.key(PAGE, f"archive.{question_set.number}")
                seen = acts.seen_since(PAGE, form, question_set.sha256, question_set.version)
                if st.button("Restore" if question_set.is_archived else "Archive", key=state.act_key(form, "do")):
                    acts.keep(
                        PAGE,
                        form,
                        lambda act_id: sets.archive_questions(
                            viewer, question_set.number, not question_set.is_archived, seen=seen, act_id=act_id
                        ),
                    )
        if viewer.may(Permission.RUN) and not question_set.is_archived:
            about = link_to_new_run("questions", str(question_set.number))
            links.page_button("New run", "runs", about, key=state.key(PAGE, "run"))


def _chart(question_set: QuestionSetLine) -> Chart:
    points = [
        Point(row=TITLES[kind], column=answer, value=many, text=f"{many:,}")
        for kind in TYPES
        for answer in ALL_ANSWERS
        if (many := question_set.kept[kind].get(answer, 0))
    ]
    return chart_of_points(
        points,
        kind=ChartKind.BARS,
        title=f"Questions of set {question_set.number} by type and right answer",
        row_title="Type",
        column_title="Right answer",
        value_title="Questions",
    )


def counts_table(counts: Mapping[int, Mapping[str, int]], title: str, name: str) -> None:
    st.caption(title)
    answers = [answer for answer in ALL_ANSWERS if any(counts[kind].get(answer) for kind in TYPES)]
    number_table(
        {
            "Type": [TITLES[kind] for kind in TYPES],
            "Questions": [f"{sum(counts[kind].values()):,}" for kind in TYPES],
            **{
                answer: [f"{counts[kind][answer]:,}" if answer in counts[kind] else "–" for kind in TYPES]
                for answer in answers
            },
        },
        key=state.key(PAGE, f"counts.{name}"),
        words=("Type",),
    )
