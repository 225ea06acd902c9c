"""ReCITE's tables by name: means over samples without a judge, distances, the released scores, models in pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.analysis.groupings import Grouping
from core.analysis.items import CONTROL, ResultItem
from core.analysis.metrics import SHARE_UNPARSABLE
from core.analysis.preset_lists import pairs_preset
from core.analysis.presets import Part, Preset, ProtocolTables
from core.analysis.sides import Compared
from protocols.recite.analyses import cards, conditions, corpus, diversity, explicitness, judges, main, structure, use
from protocols.recite.exact_names import FAILURES, LOWER_BOUND, METRICS, measures_of, parts_of_failure
from protocols.recite.judge import tables as judge_tables
from protocols.recite.samples import labels_of
from protocols.recite.tasks import AS_RELEASED, STANDARD, VARIANT_TITLES


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
                key="released",
                title="As released",
                told="The scores of the released code, for comparison with the paper's Table 4.",
                parts=(_means("f1:released", "precision:released", "recall:released"),),
                all_variants=True,
                takes=_is_graph,
                nothing=NO_GRAPH,
            ),
            *judge_tables.PRESETS,
            *main.PRESETS,
            *cards.PRESETS,
            *judges.PRESETS,
            *structure.PRESETS,
            *explicitness.PRESETS,
            *use.PRESETS,
            *conditions.PRESETS,
            *corpus.PRESETS,
            *diversity.PRESETS,
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
