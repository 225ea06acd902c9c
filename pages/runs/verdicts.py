"""Verdicts of a run: of a run of judges its controls, of a run of answers what judges said of it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import links, shell, state
from components.widgets.choosing import choose_line
from components.widgets.number_table import number_table
from core.analysis.printed import shown, shown_interval
from core.analysis.tables import ResultCell, ResultTable
from core.people import Permission, Viewer
from core.verdicts.judged import Judged
from core.words import counted
from pages.runs.parts import NO_VALUE, PAGE
from services.results import results
from services.verdicts import run_verdicts
from services.verdicts.file_scores import ScoreColumn, score_column
from services.verdicts.run_verdicts import JudgedRun, JudgeRun, JudgeScore

NO_VERDICTS = "No judge has been asked about this run."
WITHHELD = "Scores of single answers are shown once you have compared every item of your open sheet of verdicts."
MOST_LINES = 200


def show(viewer: Viewer, run_id: str, drawn_as: str) -> None:
    """A fragment, as the other parts of a run."""
    with shell.boundary():
        if run_verdicts.part_of(viewer, run_id) is run_verdicts.VerdictPart.JUDGES:
            _judges(viewer, run_verdicts.judge_run(viewer, run_id))
            _score_column(score_column(viewer, run_id))
        else:
            _answers(viewer, run_id, run_verdicts.judged_run(viewer, run_id))


# --- a run of answers ----------------------------------------------------------------------------------------------


def _answers(viewer: Viewer, run_id: str, found: JudgedRun) -> None:
    if viewer.may(Permission.RUN) and found.can_be_judged:
        asks = {"show": "new", "protocol": found.protocol, "of": str(found.number)}
        links.page_button("Judge this run", "runs", asks, key=state.key(PAGE, "judge"), is_primary=not found.judges)
    if not found.judges:
        st.caption(NO_VERDICTS if found.can_be_judged else f"{NO_VERDICTS} It can be judged when it has ended.")
        return
    for run in found.judges:
        _checks(run)
        links.page_button(
            f"Open run {run.number}",
            "runs",
            {"run": str(run.number), "part": "verdicts"},
            key=state.key(PAGE, f"verdicts.{run.number}"),
        )
    if found.withholds:
        st.caption(WITHHELD)
        return
    st.markdown("**Answers by judged F1**")
    lines = found.lines[:MOST_LINES]
    columns: dict[str, Sequence[object]] = {
        "Sample": [line.title or line.paper for line in lines],
        "Model": [line.model for line in lines],
        "Variant": [line.variant for line in lines],
    }
    scores = [{(each.judge, each.is_reviewed): _score(each) for each in line.scores} for line in lines]
    for judge, is_reviewed in dict.fromkeys(key for of_line in scores for key in of_line):
        title = f"{judge}, after review" if is_reviewed else judge
        columns[title] = [of_line.get((judge, is_reviewed), NO_VALUE) for of_line in scores]
    right = {name: st.column_config.TextColumn(alignment="right") for name in list(columns)[3:]}
    chosen = choose_line(
        [line.item_id for line in lines],
        columns,
        name=state.key(PAGE, "judged"),
        columns={**right, "Sample": st.column_config.TextColumn(width="medium")},
        tallest=25,
    )
    more = f"The first {MOST_LINES} of {len(found.lines):,} answers. " if len(found.lines) > MOST_LINES else ""
    st.caption(
        f"{more}Overall F1 in the default form, the highest first, by the mean over judges. Unparsable, empty, "
        "refused, truncated and failed answers count as 0; one that was not judged whole has its status instead."
    )
    if chosen is not None:
        links.page_button("Open answer", "failures", {"item": chosen}, key=state.key(PAGE, "judged.open"))


def _score(score: JudgeScore) -> str:
    if score.f1 is None:
        return score.state.value
    return f"{score.f1:.3f}" if score.state is Judged.WHOLE else f"{score.f1:.3f} ({score.state.value})"


# --- a run of judges -----------------------------------------------------------------------------------------------


def _judges(viewer: Viewer, run: JudgeRun) -> None:
    _checks(run)
    sections = ", ".join(f"{many:,} {status}" for status, many in run.sections.items())
    st.caption(f"Sections asked about: {sum(run.sections.values()):,} ({sections}).")
    if run.sections:
        _to_results(run, "Scores of the answers", "verdicts", is_primary=True)
    if run.labels:
        _controls(viewer, run)


def _to_results(run: JudgeRun, words: str, table: str, *, is_primary: bool = False) -> None:
    target = {"run": run.run_id, "table": table}
    links.page_button(words, "results", target, key=state.key(PAGE, f"verdicts.{table}"), is_primary=is_primary)


def _checks(run: JudgeRun) -> None:
    for judge, (words, has_failed) in run.checks.items():
        said = shell.escaped(f"{judge}: {words}")
        if has_failed:
            st.warning(said, icon=":material/warning:")
        else:
            st.markdown(said)


def _controls(viewer: Viewer, run: JudgeRun) -> None:
    st.markdown("**Wrong labels in controls**")
    (table,) = results.results(viewer, [run.run_id], "controls")
    number_table(
        {
            table.row_title: list(table.row_labels),
            **{
                control: [_share(table.cells[judge, control], table) for judge in table.row_labels]
                for control in table.column_labels
            },
        },
        key=state.key(PAGE, "verdicts.controls"),
        words=(table.row_title,),
    )
    _to_results(run, "Controls in Results", "controls")
    wrong = [each for each in run.labels if each[2] != each[3]]
    if not wrong:
        st.caption("Every label is the expected one.")
        return
    with st.expander(f"Expected and given labels ({counted(len(wrong), 'kind')} of error)"):
        listed = sorted(run.labels.items(), key=lambda pair: (pair[0][:3], -pair[1]))
        columns = [[each[place] or NO_VALUE for each, _many in listed] for place in range(4)]
        number_table(
            {
                **dict(zip(("Judge", "Control", "Expected", "Given"), columns, strict=True)),
                "Labels": [f"{many:,}" for _each, many in listed],
            },
            key=state.key(PAGE, "verdicts.given"),
            words=("Judge", "Control", "Expected", "Given"),
        )


def _share(cell: ResultCell, table: ResultTable) -> str:
    interval = shown_interval(cell.estimate, table.metric)
    return f"{shown(cell.estimate, table.metric)}{f' [{interval}]' if interval else ''}"


def _score_column(found: ScoreColumn) -> None:
    """Show the scores of an imported file next to those recomputed from its labels."""
    if not found.lines:
        return
    st.markdown("**Score column of the file**")
    lines = found.lines[:MOST_LINES]
    number_table(
        {
            "Sample": [line.title or line.paper for line in lines],
            "Model": [line.model for line in lines],
            "Judge": [line.judge for line in lines],
            "Score in the file": [f"{line.said:.4f}" for line in lines],
            "Recomputed": [NO_VALUE if line.again is None else f"{line.again:.4f}" for line in lines],
        },
        key=state.key(PAGE, "verdicts.column"),
        words=("Sample", "Model", "Judge"),
        wide="Sample",
    )
    more = f" The first {MOST_LINES} are shown." if len(found.lines) > MOST_LINES else ""
    st.caption(
        f"{found.differ:,} of {counted(len(found.lines), 'score')} differ from the overall F1 as released, "
        f"{found.undefined:,} have no recomputed value. Those that differ come first.{more}"
    )
