"""ReCITE's tables by name: means over samples without a judge, distances, the released scores, models in pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.analysis.columns import ItemColumns
from core.analysis.comparisons import Compared
from core.analysis.groupings import Grouping, by_label, crossed, models, with_all
from core.analysis.items import WITHOUT_EDGES, ResultItem
from core.analysis.means import Mean, mean_metric
from core.analysis.metrics import NUMBER, SHARE_UNPARSABLE, Metric
from core.analysis.preset_lists import pairs_preset
from core.analysis.presets import Part, Preset, ProtocolTables, Shown
from core.analysis.tables import ResultTable, build_table
from core.graphs.sample import graph_of
from core.verdicts.rows import CONTROL
from protocols.recite.analyses import structure
from protocols.recite.judge import tables as judge_tables
from protocols.recite.samples import labels_of
from protocols.recite.scoring import answered_graph, compare_by_name, parts_of
from protocols.recite.tasks import AS_RELEASED, STANDARD, VARIANT_TITLES

LOWER_BOUND = "Standard answers by exact names (equal after folding): a lower bound until names are aligned."
FAILURES = "Unparsable, refused, truncated and failed answers count as an empty graph."
_SETS = f"Mean over samples. {FAILURES} {LOWER_BOUND}"
_OF_GRAPHS: Mapping[Mean, tuple[str, str | None]] = {
    Mean("f1:edge", "F1 of edges", f"F1 of edges, each answer's own. {_SETS}"): ("edge", "f1"),
    Mean("precision:edge", "Precision of edges", f"0 for an answer without edges. {_SETS}"): ("edge", "precision"),
    Mean("recall:edge", "Recall of edges", _SETS): ("edge", "recall"),
    Mean("f1:node", "F1 of nodes", _SETS): ("node", "f1"),
    Mean("precision:node", "Precision of nodes", f"0 for an answer without edges. {_SETS}"): ("node", "precision"),
    Mean("recall:node", "Recall of nodes", _SETS): ("node", "recall"),
    Mean("shd_once", "SHD, a reversal counted once", _SETS, NUMBER): ("shd", "once"),
    Mean("shd_twice", "SHD, a reversal counted twice", f"The released code's scale. {_SETS}", NUMBER): ("shd", "twice"),
    Mean("shd_gold_pairs", "SHD / n(n−1) of the truth", _SETS, NUMBER): ("normalised", "gold_pairs"),
    Mean("shd_union_pairs", "SHD / n(n−1) of both graphs", _SETS, NUMBER): ("normalised", "union_pairs"),
    Mean("shd_gold_edges", "SHD / edges of the truth", _SETS, NUMBER): ("normalised", "gold_edges"),
    Mean("kappa", "Cohen's kappa of edges", f"Over ordered pairs of both graphs' nodes. {_SETS}", NUMBER): (
        "kappa",
        None,
    ),
    Mean(
        "f1:released",
        "F1 as released",
        f"Of an area under the PR curve and a mean of its points; for the paper's Table 4 only. {_SETS}",
    ): ("as_released", "f1"),
    Mean("precision:released", "Area under the PR curve (as released)", _SETS): ("as_released", "precision"),
    Mean("recall:released", "Mean of the curve's points (as released)", _SETS): ("as_released", "recall"),
}
"""Each mean → where the parts of an item's score have its measure."""
_WHERE = {each.column: where for each, where in _OF_GRAPHS.items()}
MEANS: Mapping[str, Mean] = {each.name: each for each in _OF_GRAPHS}
METRICS: Mapping[str, Metric] = {name: mean_metric(each) for name, each in MEANS.items()}


def measures_of(parts: Mapping[str, Any] | None) -> dict[str, float]:
    """Measures of an item's score, by the names of the means; what is undefined is missing. An answer without edges
    has no precision of its own: against a truth that has edges it is 0, as F1 is."""
    if parts is None or "edge" not in parts:  # of a judge
        return {}
    found = {name: parts[first] if second is None else parts[first][second] for name, (first, second) in _WHERE.items()}
    if found["edge_precision"] is None and found["edge_f1"] is not None:
        found |= {"edge_precision": 0.0, "node_precision": 0.0, WITHOUT_EDGES: 1.0}
    return {name: value for name, value in found.items() if value is not None}


def parts_of_failure(truth: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The score of the empty graph against the truth of a text; None for a judge's sample, whose answer is no graph."""
    if "nodes" not in truth:
        return None
    return parts_of(compare_by_name(graph_of(truth["nodes"], truth["edges"]), answered_graph(())))


def sample_of(facts: Mapping[str, Any]) -> str | None:
    """Each sample is drawn by itself; the same one of two runs is known by its id and its text: two tables of samples
    may use the same ids."""
    paper = facts.get("paper")
    return None if paper is None else f"{paper} {facts.get('text', '')}"


def _asked(item: ResultItem) -> list[str]:
    variant = VARIANT_TITLES.get(item.variant, item.variant)
    words = f"{variant} (exact names)" if item.variant == STANDARD else variant
    return [f"{words}, as released" if item.task == AS_RELEASED else words]


def _is_graph(item: ResultItem) -> bool:
    return not item.judge


NO_GRAPH = "These runs hold verdicts. Choose the table Verdicts."


def table_labels(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the labels that tables group by; for a judge's sample also those of the judged answer."""
    return labels_of(facts) | judge_tables.labels_of(facts)


def _in_order(labels: Sequence[str]) -> list[str]:
    """Standard before names given, each before the same as released."""
    first = list(VARIANT_TITLES.values())
    return sorted(labels, key=lambda label: ("as released" in label, first.index(label.split(" (")[0].split(",")[0])))


VARIANT = Grouping("variant", "Variant", _asked, _in_order)
FIELD = by_label("field", "Field", "no field")


def _field(items: ItemColumns, shown: Shown) -> tuple[ResultTable, ...]:
    columns = crossed(models(items.kinds, shown.models), VARIANT)
    return (build_table(items, with_all(FIELD), columns, METRICS["f1:edge"], shown.how),)


def _means(*names: str) -> Part:
    return Part(tuple(METRICS[name] for name in names), VARIANT)


TABLES = ProtocolTables(
    presets={
        each.key: each
        for each in (
            Preset(
                key="graphs",
                title="Edges and nodes",
                told="Mean precision, recall and F1 of edges and of nodes over samples, without a judge.",
                parts=(
                    _means("f1:edge", "precision:edge", "recall:edge", "f1:node", "precision:node", "recall:node"),
                    Part((SHARE_UNPARSABLE,), VARIANT),
                ),
                all_variants=True,
                takes=_is_graph,
                nothing=NO_GRAPH,
            ),
            Preset(
                key="distance",
                title="Distances",
                told="Mean structural Hamming distance and kappa over samples.",
                parts=(
                    _means("shd_once", "shd_twice", "shd_gold_pairs", "shd_union_pairs", "shd_gold_edges", "kappa"),
                ),
                all_variants=True,
                takes=_is_graph,
                nothing=NO_GRAPH,
            ),
            Preset(
                key="field",
                title="By field",
                told="Mean F1 of edges of each model by the field of the paper.",
                custom=_field,
                all_variants=True,
                takes=_is_graph,
                nothing=NO_GRAPH,
            ),
            Preset(
                key="released",
                title="As released",
                told="The scores of the released code, for comparison with the paper's Table 4.",
                parts=(_means("f1:released", "precision:released", "recall:released"),),
                all_variants=True,
                takes=_is_graph,
                nothing=NO_GRAPH,
            ),
            *judge_tables.PRESETS,
            *structure.PRESETS,
            pairs_preset(
                Compared(
                    metric=replace(METRICS["f1:edge"], covers=_is_graph),
                    value=lambda item: item.measures["edge_f1"],
                    apart=VARIANT,
                ),
                judge_tables.COMPARED,
                takes=lambda item: item.kind != CONTROL,
                is_of_judges=True,
            ),
        )
    },
    told="precision, recall and F1 of graphs from texts, distances, and models in pairs",
    labels_of=table_labels,
    cluster_of=sample_of,
    measures_of=measures_of,
    parts_of_failure=parts_of_failure,
    notes=(
        "Intervals draw samples again, each by itself.",
        f"{FAILURES} Excluded and pending ones do not count.",
        LOWER_BOUND,
    ),
)
