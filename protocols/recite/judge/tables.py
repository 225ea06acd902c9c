"""Tables of judged answers: scores in five forms and SHD, predicted edges by labels, and controls.

A row is of one model, one variant of its answers and one judge. What people ruled is in tables of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from core.analysis.columns import ItemColumns
from core.analysis.groupings import Grouping
from core.analysis.items import CONTROL, ResultItem
from core.analysis.means import Mean, mean_metric, mean_over
from core.analysis.metrics import NUMBER, Measured, Metric, computed
from core.analysis.preset_lists import preset
from core.analysis.presets import ANSWERS, FIGURES, Part, Preset
from core.analysis.sides import Compared
from core.analysis.tables import ResultTable, build_table
from core.scoring.tallies import quotients
from core.verdicts.judged import FIGURES_OF, SHD, SHD_FIGURES
from core.words import counted, sentence_case

JUDGED, REVIEWED = "judged", "reviewed"
RULED = f"{REVIEWED}.sections"
"""A measure that answers of runs with a ruling have: how many of their sections people ruled on."""
FAILURE_RULE = (
    "Unparsable, empty, refused, truncated and failed answers score 0 (SHD: that of the empty graph); answers that a "
    "judge did not judge whole are left out."
)
FORMS: Mapping[str, tuple[str, str]] = {
    "default": (
        "Default",
        "Block composites; overall values weigh nodes and edges by their number of items.",
    ),
    "as_released": ("As released", "As the released program computes them, faults of labels included."),
    "importance_pooled": (
        "Importance-pooled",
        "As Default, but overall recall weighs nodes and edges together by importance.",
    ),
    "unweighted_literal": (
        "Unweighted",
        "Matches with the graph in either direction; overall F1 is the mean of that of nodes and that of edges, pooled "
        "F1 is of all items.",
    ),
    "unweighted_strict": ("Unweighted, strict", "As Unweighted, but a reversed or missing direction is no match."),
    SHD: ("SHD from labels", "Means per answer; a reversal counts once, normalised by n(n−1) of the true nodes."),
}
"""Form of scores → its title and its description."""
PATTERNS: Mapping[str, tuple[str, str]] = {
    "Match the graph": ("matched", "edges"),
    "Direction correct": ("correct", "edges"),
    "Direction reversed": ("reversed", "edges"),
    "Supported by the text": ("supported", "edges"),
    "Of matched: direction correct": ("matched_correct", "matched"),
    "Of matched: direction reversed": ("matched_reversed", "matched"),
    "Of matched: supported by the text": ("matched_supported", "matched"),
}
"""Figure → counts of predicted edges whose ratio it is (ReCITE, Table 23 prints shares of all predicted edges, and its
caption says that they are of the matched ones)."""


def labels_of(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the labels of a control; answers have those of their own samples."""
    return {CONTROL: (str(facts[CONTROL]),)} if facts.get(CONTROL) else {}


def figure_title(name: str) -> str:
    """A figure as tables head it.

    >>> figure_title("node_f1"), figure_title("overall_f1"), figure_title("total")
    ('F1 of nodes', 'Overall F1', 'Total')
    """
    what, _, figure = name.replace("f1", "F1").partition("_")
    return (
        f"{sentence_case(figure)} of {what}s" if what in ("node", "edge") else sentence_case(f"{what} {figure}".strip())
    )


def _scores(*forms: str) -> Iterator[Part]:
    """Tables of forms by the judges, and after review."""
    for form in forms:
        title = FORMS[form][0]
        names = SHD_FIGURES if form == SHD else sorted(FIGURES_OF[form], key=lambda name: name[:4] in ("node", "edge"))
        for prefix in ("", f"{REVIEWED}."):
            yield in_one_table(
                f"{prefix}{form}",
                title,
                [score_metric(f"{prefix}{form}.{name}", figure_title(name)) for name in names],
                is_reviewed=bool(prefix),
            )


def score_metric(measure: str, title: str) -> Metric:
    """The mean of a score of a form, such as `reviewed.default.overall_f1`."""
    form = measure.removeprefix(f"{REVIEWED}.").partition(".")[0]
    return mean_metric(Mean(measure, title, f"{FORMS[form][1]} {FAILURE_RULE}", NUMBER))


def in_one_table(name: str, title: str, metrics: Sequence[Metric], *, is_reviewed: bool) -> Part:
    """One table of metrics; after review only of runs in which people ruled."""
    columns = tuple(replace(each, is_reviewed=is_reviewed) for each in metrics)
    heading = replace(columns[0], name=name, title=f"{title}, {'after review' if is_reviewed else 'judge only'}")
    return Part(columns, FIGURES, ANSWERS, _is_ruled if is_reviewed else None, heading)


def _is_ruled(item: ResultItem) -> bool:
    return RULED in item.measures


def _ratio_metric(name: str, title: str, told: str, over: str, under: str) -> Metric:
    """A share of counts of labels, over all items that have any."""
    return Metric(name=name, title=title, told=told, measure=partial(_ratio, over, under), measured=under)


def _ratio(over: str, under: str, items: ItemColumns, again: bool) -> Measured:
    judged = items.having(under)
    columns = np.column_stack([judged.kinds.measure(over), judged.kinds.measure(under)])
    estimate, tally = computed(judged, columns, quotients, again, "there is no such label")
    return replace(estimate, n=int(np.dot(judged.counts, columns[:, 1]))), tally


def _mean_metric(name: str, title: str, description: str, over: str, under: str) -> Metric:
    """The mean over answers of a share of counts of labels."""
    return Metric(
        name=f"{name}.mean",
        title=title,
        told=description,
        measure=partial(_mean, over, under),
        is_mean=True,
        measured=under,
    )


def _mean(over: str, under: str, items: ItemColumns, again: bool) -> Measured:
    of_kinds = items.kinds.measure(under)
    defined = items.taken(np.flatnonzero(of_kinds > 0).tolist())
    shares = defined.kinds.measure(over) / defined.kinds.measure(under)
    left = len(items.having(under)) - len(defined)
    return mean_over(defined, shares, again, f"undefined in {counted(left, 'answer')}" if left else "")


def error_parts() -> Iterator[Part]:
    """Tables of predicted edges by labels, of all answers' edges together and as means over answers."""
    of = "Shares of all predicted edges of the answers that were judged whole, or of those that match the graph"
    ways = (("", "", f"{of}.", _ratio_metric), (".mean", ", mean over answers", f"{of}; of each answer.", _mean_metric))
    for end, words, description, metric_of in ways:
        for prefix in (JUDGED, REVIEWED):
            metrics = [
                metric_of(f"{prefix}.{over}_of_{under}", title, description, f"{prefix}.{over}", f"{prefix}.{under}")
                for title, (over, under) in PATTERNS.items()
            ]
            is_reviewed = prefix == REVIEWED
            yield in_one_table(f"{prefix}.edges{end}", f"Predicted edges{words}", metrics, is_reviewed=is_reviewed)


WRONG = _ratio_metric(
    "wrong_labels",
    "Wrong labels in controls",
    "Share of the planted labels that a judge gave wrong.",
    f"{JUDGED}.wrong",
    f"{JUDGED}.planted",
)
JUDGE = Grouping("judge", "Judge", lambda item: [item.judge])
CONTROLS = Grouping("control", "Control", lambda item: item.values(CONTROL))


def _is_control(item: ResultItem) -> bool:
    return bool(item.judge) and item.kind == CONTROL


def is_answer(item: ResultItem) -> bool:
    return bool(item.judge) and item.kind != CONTROL


def check_words(wrong: Mapping[str, float], limit: float) -> str:
    """Describe how far a judge can be believed. `wrong`: control → share of wrong labels; a share over `limit` fails.

    >>> check_words({}, 0.1), check_words({"copy": 0.0, "turned": 0.25}, 0.1)
    ('not checked', '25% wrong in control “turned”')
    >>> check_words({"copy": 0.02}, 0.1), check_words({"copy": 0.0}, 0.1)
    ('checked: at most 2% wrong', 'checked: no label wrong')
    """
    if not wrong:
        return "not checked"
    control, worst = max(wrong.items(), key=lambda each: each[1])
    if worst > limit:
        return f"{worst:.0%} wrong in control “{control}”"
    return f"checked: at most {worst:.0%} wrong" if worst else "checked: no label wrong"


def wrong_by_judge(table: ResultTable) -> dict[str, dict[str, float]]:
    """Judge → control → share of wrong labels, from the table of controls."""
    found: dict[str, dict[str, float]] = {judge: {} for judge in table.row_labels}
    for (judge, control), cell in table.cells.items():
        if cell.estimate.value is not None:
            found[judge][control] = cell.estimate.value
    return found


def checks(items: ItemColumns) -> str:
    wrong = wrong_by_judge(build_table(items.where(_is_control), JUDGE, CONTROLS, WRONG))
    judges = dict.fromkeys(kind.judge for kind in items.kinds if kind.judge)
    return "".join(f"; {judge}: {check_words(wrong.get(judge, {}), 0)}" for judge in judges)


def answers_preset(key: str, title: str, told: str, *parts: Part, **more: Any) -> Preset:
    usual: dict[str, Any] = {
        "takes": is_answer,
        "variant_title": "Variant of the answers",
        "remark": checks,
        "is_of_judges": True,
        "nothing": NO_VERDICT,
    }
    return preset(key, title, told, *parts, all_variants=True, **usual | more)


NO_VERDICT = "These runs hold no verdict. Judge a finished run first."
COMPARED = Compared(
    metric=replace(
        mean_metric(Mean("default.overall_f1", "Overall F1 by a judge", f"{FORMS['default'][1]} {FAILURE_RULE}")),
        covers=is_answer,
    ),
    value=lambda item: item.measures["default.overall_f1"],
    apart=Grouping("condition", "Judge and variant", lambda item: [f"{item.variant_words}, by {item.judge}"]),
    whole=Grouping("judge", "Judge", lambda item: [f"all questions, by {item.judge}"]),
    within=Grouping("judge", "Judge", lambda item: [f"by {item.judge}"]),
)
PRESETS = (
    answers_preset("verdicts", "Verdicts", "Mean scores of judged answers in the default form.", *_scores("default")),
    answers_preset(
        "forms",
        "Other forms",
        "Mean scores of judged answers as released, importance-pooled and unweighted (ReCITE, Tables 10 and 11).",
        *_scores(*(form for form in FORMS if form not in ("default", SHD))),
    ),
    answers_preset("labels", "Distances by labels", "SHD by labels.", *_scores(SHD)),
    answers_preset(
        "errors",
        "Errors of edges",
        "Shares of predicted edges by labels, of all and of the matched ones (ReCITE, Table 23).",
        *error_parts(),
    ),
    answers_preset(
        "controls",
        "Controls",
        "Wrong labels of judges about graphs whose labels are known.",
        Part((WRONG,), CONTROLS, JUDGE),
        takes=_is_control,
        remark=None,
        is_of_judges=False,
        nothing="These runs have no control. Judge with controls to see how far a judge can be believed.",
    ),
)
