"""Main results: precision and recall of nodes and edges, F1 and SHD of each model (ReCITE, Tables 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.analysis.items import CONTROL, ResultItem
from core.analysis.presets import ANSWERS, FIGURES, MODELS, Part, Preset
from protocols.recite.exact_names import METRICS
from protocols.recite.judge import tables as judge_tables
from protocols.recite.judge.tables import REVIEWED, in_one_table, score_metric
from protocols.recite.judge.tasks import JUDGE
from protocols.recite.tasks import AS_RELEASED, GENERATE, NAMES

_BY_JUDGES = {
    "default.node_precision": "Precision of nodes",
    "default.node_recall": "Recall of nodes",
    "default.edge_precision": "Precision of edges",
    "default.edge_recall": "Recall of edges",
    "default.overall_f1": "F1",
    "shd.total": "SHD",
    "shd.normalised": "SHD / n(n−1)",
}
"""Score → its title, in the order of the paper's columns."""
_BY_NAMES = ("precision:node", "recall:node", "precision:edge", "recall:edge", "f1:edge", "shd_once", "shd_gold_pairs")
_OF_NAMES = ("precision:edge", "recall:edge", "f1:edge", "shd_once", "shd_twice")
_RELEASED = ("precision:released", "recall:released", "f1:released")


def _main() -> Iterator[Part]:
    for prefix in ("", f"{REVIEWED}."):
        metrics = [score_metric(f"{prefix}{name}", title) for name, title in _BY_JUDGES.items()]
        yield _judged(in_one_table(f"{prefix}default.overall_f1", "Main results", metrics, is_reviewed=bool(prefix)))
    columns = tuple(METRICS[name] for name in _BY_NAMES)
    heading = replace(METRICS["f1:edge"], title="Main results, exact names")
    yield Part(columns, FIGURES, ANSWERS, lambda item: not item.judge, heading)


def _judged(part: Part) -> Part:
    where = part.where
    return replace(part, where=lambda item: bool(item.judge) and (where is None or where(item)))


def _names(title: str, task: str) -> Part:
    columns = tuple(METRICS[name] for name in (*_OF_NAMES, *_RELEASED))
    heading = replace(METRICS["f1:edge"], title=title)
    return Part(columns, FIGURES, MODELS, lambda item: item.task == task, heading)


def _is_of_names(item: ResultItem) -> bool:
    return not item.judge and item.variant == NAMES


PRESETS = (
    Preset(
        key="main",
        title="Main results",
        told="Precision and recall of nodes and edges, F1 and SHD (ReCITE, Table 3).",
        parts=tuple(_main()),
        own_tasks=(JUDGE, GENERATE),
        all_variants=True,
        takes=lambda item: item.kind != CONTROL,
        variant_title="Variant of the answers",
        remark=judge_tables.checks,
        is_of_judges=True,
    ),
    Preset(
        key="names",
        title="Names given",
        told="Edges and SHD where models are given the names of the nodes (ReCITE, Table 4, whose precision, recall "
        "and F1 are those as released).",
        parts=(_names("Names given", GENERATE), _names("Names given, as released", AS_RELEASED)),
        takes=_is_of_names,
        nothing="These runs have no answer with the names given. Ask the variant names.",
    ),
)
