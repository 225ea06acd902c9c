"""Verdicts of a run: of a judge's run its tables and controls, of a run of answers what judges said of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from components import links, shell, state
from components.widgets.choosing import choose_line
from components.widgets.downloads import content_on_click
from components.widgets.number_table import number_table
from core.estimate import Estimate
from core.people import Permission, Viewer
from core.runs.answer_counts import AnswerCounts
from core.verdicts.forms import FAILURE_RULE, FORM_TITLES, FORMS_TOLD, figure_title, figures_of
from core.verdicts.judge_tables import ControlScores, JudgeTables, ModelScores, Patterns
from core.verdicts.judged import Judged
from core.words import counted, ends
from pages.runs.parts import NO_VALUE, PAGE
from services.files import MEDIA, TableForm
from services.verdicts import files, tables
from services.verdicts.file_scores import ScoreColumn, score_column
from services.verdicts.tables import JudgedRun, JudgeRun

NO_VERDICTS = "No judge has been asked about this run."
WITHHELD = (
    "Scores of single answers, and means of fewer than ten, are shown once you have compared every item of your open "
    "sheet of verdicts."
)
MOST_LINES = 200
REVIEWS = {"both": "Both", "judge": "Judge only", "after": "After review"}
PATTERNS: Mapping[str, Callable[[Patterns], Estimate]] = {
    "Match the graph": lambda each: each.graph_match,
    "Direction correct": lambda each: each.of_all["correct"],
    "… of matched: direction correct": lambda each: each.of_matched["correct"],
    "Direction reversed": lambda each: each.of_all["reversed"],
    "… of matched: direction reversed": lambda each: each.of_matched["reversed"],
    "Supported by the text": lambda each: each.of_all["supported"],
    "… of matched: supported by the text": lambda each: each.of_matched["supported"],
}
DOWNLOADS = {"CSV (all values)": TableForm.CSV, "LaTeX (booktabs)": TableForm.LATEX}


def show(viewer: Viewer, run_id: str, drawn_as: str) -> None:
    """A fragment, as the other parts of a run."""
    with shell.boundary():
        if tables.part_of(viewer, run_id) is tables.VerdictPart.JUDGES:
            run = tables.judge_run(viewer, run_id)
            _judges(run)
            if run.tables.models and viewer.may(Permission.EXPORT):
                _downloads(viewer, run)
            _score_column(score_column(viewer, run_id))
        else:
            _answers(viewer, run_id, tables.judged_run(viewer, run_id))


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
    judges = list(dict.fromkeys(judge for line in lines for judge, _value, _state in line.scores))
    columns: dict[str, Sequence[object]] = {
        "Sample": [line.title or line.paper for line in lines],
        "Model": [line.model for line in lines],
        "Variant": [line.variant for line in lines],
    }
    own = [{name: (value, word) for name, value, word in line.scores} for line in lines]
    after = [{name: (value, word) for name, value, word in line.reviewed} for line in lines]
    for judge in judges:
        columns[judge] = [_score(*each[judge]) if judge in each else NO_VALUE for each in own]
        if any(judge in each for each in after):
            columns[f"{judge}, after review"] = [_score(*each[judge]) if judge in each else NO_VALUE for each in after]
    right = {name: st.column_config.TextColumn(alignment="right") for name in list(columns)[3:]}
    chosen = choose_line(
        "Answer",
        [line.item_id for line in lines],
        {line.item_id: f"{line.title or line.paper}, {line.model}, {line.variant}" for line in lines},
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


def _score(value: float | None, word: str) -> str:
    if value is None:
        return word
    return f"{value:.3f}" if word == Judged.WHOLE.value else f"{value:.3f} ({word})"


# --- a run of judges -----------------------------------------------------------------------------------------------


def _judges(run: JudgeRun) -> None:
    made = run.tables
    _checks(run)
    sections = ", ".join(f"{many:,} {status}" for status, many in made.sections.items())
    st.caption(f"Sections asked about: {sum(made.sections.values()):,} ({sections}).")
    if run.withholds:
        st.caption(WITHHELD)
    if not made.models:
        return
    form = str(
        st.segmented_control(
            "Scores",
            list(FORM_TITLES),
            format_func=FORM_TITLES.__getitem__,
            key=state.key(PAGE, "verdicts.form"),
            default="default",
            required=True,
        )
    )
    shown = _shown(run)
    _models(run, form, shown)
    _patterns(run, shown)
    if made.controls:
        _controls(made.controls)
    if any(made.pairs.values()):
        _pairs(made)


def _downloads(viewer: Viewer, run: JudgeRun) -> None:
    with st.popover("Download tables", icon=":material/download:"):
        for words, form in DOWNLOADS.items():
            st.download_button(
                words,
                content_on_click(files.export, viewer, run.run_id, form),
                files.name_of(run.number, form),
                MEDIA[form],
                on_click="ignore",
                key=state.key(PAGE, f"verdicts.download.{form.value}"),
                width="stretch",
            )


def _checks(run: JudgeRun) -> None:
    for judge, check in run.tables.checks.items():
        words = shell.escaped(f"{judge}: {check.words(run.limit)}")
        if check.worst is not None and check.worst > run.limit:
            st.warning(words, icon=":material/warning:")
        else:
            st.markdown(words)


def _shown(run: JudgeRun) -> Sequence[str]:
    """Draw the choice of scores: judges' own, after review, or both in separate columns."""
    if run.reviewed is None:
        return ("judge",)
    chosen = st.segmented_control(
        "Review",
        list(REVIEWS),
        format_func=REVIEWS.__getitem__,
        key=state.key(PAGE, "verdicts.review"),
        default="both",
        required=True,
        label_visibility="collapsed",
    )
    return ("judge", "after") if chosen == "both" else (str(chosen),)


def _models(run: JudgeRun, form: str, shown: Sequence[str]) -> None:
    rows = run.tables.models
    after = {each.key: each for each in (run.reviewed or run.tables).models}
    columns, counts = _named(rows), _counts([each.counts for each in rows], *PARTS[:4])
    for name in figures_of(form):
        if name.startswith(("node", "edge")):
            columns |= counts  # between overall figures and those of parts: visible without scrolling
        title = figure_title(name)
        if "judge" in shown:
            columns[title] = [_estimate(each.means[form, name]) for each in rows]
        if "after" in shown:
            columns[f"{title}, after review"] = [_estimate(after[each.key].means[form, name]) for each in rows]
    columns |= counts
    columns["Control"] = [run.tables.checks[each.judge].words(run.limit) for each in rows]
    number_table(columns, key=state.key(PAGE, f"verdicts.{form}"), words=("Model", "Variant", "Judge", "Control"))
    settings = f" {run.settings.description}" if "after" in shown else ""
    st.caption(f"{FORMS_TOLD[form]} {FAILURE_RULE} Intervals over samples.{settings}")
    st.caption(SUM)


def _named(rows: Sequence[ModelScores]) -> dict[str, list[str]]:
    return {
        "Model": [each.judged for each in rows],
        "Variant": [each.variant.title for each in rows],
        "Judge": [each.judge for each in rows],
    }


PARTS = ("empty", "as_zero", "incomplete", "excluded", "pending", "left_out")
COUNTS: Mapping[str, str] = {
    "asked": "Asked",
    "scored": "Scored",
    "empty": "Unparsable or empty",
    "as_zero": "Counted as 0",
    "incomplete": "Incomplete",
    "excluded": "Excluded",
    "pending": "Pending",
    "left_out": "Left out",
}
SUM = (
    "Asked = scored (of them unparsable or empty) + counted as 0 (refused, truncated or failed) + incomplete + "
    "excluded + pending."
)


def _counts(counts: Sequence[AnswerCounts], *always: str) -> dict[str, list[str]]:
    """The parts of a sum in columns; those that are 0 in every row only where they are named."""
    named = {name: [int(getattr(each, name)) for each in counts] for name in COUNTS}
    shown = [name for name in named if name in ("asked", "scored", *always) or any(named[name])]
    return {COUNTS[name]: [f"{many:,}" for many in named[name]] for name in shown}


def _estimate(found: Estimate) -> str:
    if found.value is None:
        return NO_VALUE
    between = ends(f"{found.low:.3f}", f"{found.high:.3f}") if found.low is not None and found.high is not None else ""
    return f"{found.value:.3f}{f' ({between})' if between else ''}"


def _share(found: Estimate) -> str:
    return NO_VALUE if found.value is None else f"{found.value:.1%}"


def _patterns(run: JudgeRun, shown: Sequence[str]) -> None:
    st.markdown("**Predicted edges**")
    rows = run.tables.models
    after = {each.key: each.patterns for each in (run.reviewed or run.tables).models}
    columns = _named(rows)
    columns["Answers"] = [f"{each.counts.scored - each.counts.empty:,} of {each.counts.asked:,}" for each in rows]
    columns["Edges"] = [f"{each.patterns.edges:,}" for each in rows]
    own, reviewed = [each.patterns for each in rows], [after[each.key] for each in rows]
    for name in PATTERNS:
        for side in shown:
            title = f"{name}, after review" if side == "after" else name
            columns[title] = [_share(PATTERNS[name](each)) for each in (reviewed if side == "after" else own)]
    number_table(columns, key=state.key(PAGE, "verdicts.patterns"), words=("Model", "Variant", "Judge"))
    st.caption("Edges of the answers that were judged whole, of those asked; other answers have no judged edge.")


def _controls(found: Sequence[ControlScores]) -> None:
    st.markdown("**Controls**")
    columns: dict[str, list[str]] = {
        "Judge": [each.judge for each in found],
        "Control": [each.control for each in found],
        **_counts([each.counts for each in found]),
        "Labels": [f"{each.planted:,}" for each in found],
        "Wrong": [_error(each) for each in found],
    }
    number_table(columns, key=state.key(PAGE, "verdicts.controls"), words=("Judge", "Control"))
    pairs = [(each, expected, given, many) for each in found for (expected, given), many in each.pairs.items()]
    wrong = [pair for pair in pairs if pair[1] != pair[2]]
    if not wrong:
        st.caption("Every label is the expected one.")
        return
    with st.expander(f"Expected and given labels ({counted(len(wrong), 'kind')} of error)"):
        listed = sorted(pairs, key=lambda pair: (pair[0].judge, pair[0].control, pair[1], -pair[3]))
        number_table(
            {
                "Judge": [each.judge for each, *_ in listed],
                "Control": [each.control for each, *_ in listed],
                "Expected": [expected for _, expected, _given, _many in listed],
                "Given": [given or NO_VALUE for *_, given, _many in listed],
                "Labels": [f"{many:,}" for *_, many in listed],
            },
            key=state.key(PAGE, "verdicts.given"),
            words=("Judge", "Control", "Expected", "Given"),
        )


def _error(each: ControlScores) -> str:
    found = each.errors
    if found.value is None:
        return NO_VALUE
    if found.low is None or found.high is None:
        return f"{found.value:.1%}"
    return f"{found.value:.1%} ({ends(f'{100 * found.low:.1f}', f'{100 * found.high:.1f}%')})"


def _pairs(made: JudgeTables) -> None:
    st.markdown("**Judges in pairs**")
    rows = [(variant, each) for variant, pairs in made.pairs.items() for each in pairs]
    number_table(
        {
            "Variant": [variant.title for variant, _each in rows],
            "First": [each.first for _variant, each in rows],
            "Second": [each.second for _variant, each in rows],
            **_counts([each.counts for _variant, each in rows]),
            "Pearson r": [_estimate(each.r) for _variant, each in rows],
            "First − second": [_estimate(each.difference) for _variant, each in rows],
            "SD": [NO_VALUE if each.sd is None else f"{each.sd:.3f}" for _variant, each in rows],
        },
        key=state.key(PAGE, "verdicts.pairs"),
        words=("Variant", "First", "Second"),
    )
    st.caption("Overall F1 in the default form, on the answers that both judged whole; the others are left out.")


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
