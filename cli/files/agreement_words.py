"""Aggregated comparisons of many graphs, as JSON and as text. The keys are stable."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any

from cli.files.comparison import plain_comparison
from cli.files.output import estimates, in_table, in_words
from core.estimate import Estimate, ratio, undefined
from core.graphs.compare import Comparison, SetScore, cohen_kappa

ONE_AT_A_TIME = "the released code scores one graph at a time"


def plain_agreement(comparisons: Mapping[str, Comparison]) -> dict[str, Any]:
    """Return the data of `agreement graphs --json`: `per_graph` with each graph's name, `macro` with mean and
    population standard deviation over the graphs in which a figure is defined, `pooled` from added counts."""
    plain = {name: plain_comparison(each) for name, each in comparisons.items()}
    documents = list(plain.values())
    return {
        "per_graph": [{"name": name, **each} for name, each in plain.items()],
        "macro": {"mean": _over(documents, _mean), "population_sd": _over(documents, _population_sd)},
        "pooled": _pooled(list(comparisons.values())),
    }


def _over(documents: Sequence[Mapping[str, Any]], summary: Any) -> dict[str, Any]:
    """Return the same keys with the summary of their figures; null and a reason where none is defined."""
    summed: dict[str, Any] = {}
    for key in (key for key in documents[0] if not key.endswith("_reason")):
        values = [each[key] for each in documents]
        if isinstance(values[0], Mapping):
            summed[key] = _over(values, summary)
            continue
        defined = [value for value in values if value is not None]
        if defined:
            summed[key] = summary(defined)
            if len(defined) < len(values):
                summed[f"{key}_reason"] = f"defined in {len(defined)} of {len(values)} graphs"
        else:
            summed[key], summed[f"{key}_reason"] = None, f"defined in none of {len(values)} graphs"
    return summed


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _population_sd(values: Sequence[float]) -> float:
    mean = _mean(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))


def _pooled(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    node, edge = (_added([getattr(each, part) for each in comparisons], f"{part}s") for part in ("node", "edge"))
    shd = {
        part: sum(getattr(each.shd, part) for each in comparisons)
        for part in ("missing", "extra", "reversed", "once", "twice")
    }
    pairs = reduce(add, (each.pairs for each in comparisons))
    gold = [each.node.tp + each.node.fn for each in comparisons]
    gold_pairs = sum(n * (n - 1) for n in gold)
    union_pairs = pairs.both + pairs.reference_only + pairs.candidate_only + pairs.neither
    as_released = dict.fromkeys(("precision", "recall", "f1", "shd", "normalized_shd"), undefined(ONE_AT_A_TIME))
    return {
        "node": _plain(node),
        "edge": _plain(edge),
        "shd": shd,
        "normalised": estimates(
            gold_pairs=ratio(shd["once"], gold_pairs, "no reference has two nodes"),
            union_pairs=ratio(shd["once"], union_pairs, "no two graphs together have two nodes"),
            gold_edges=ratio(shd["once"], edge.tp + edge.fn, "no reference has an edge"),
        ),
        **estimates(kappa=cohen_kappa(pairs)),
        "as_released": estimates(**as_released),
    }


def _added(scores: Sequence[SetScore], what: str) -> SetScore:
    tp, fp, fn = (sum(getattr(score, part) for score in scores) for part in ("tp", "fp", "fn"))
    return SetScore.of(tp, fp, fn, what)


def _plain(score: SetScore) -> dict[str, Any]:
    counts = {"tp": score.tp, "fp": score.fp, "fn": score.fn}
    return counts | estimates(precision=score.precision, recall=score.recall, f1=score.f1)


def words_of(comparisons: Mapping[str, Comparison]) -> str:
    lines: list[tuple[str, ...]] = [
        ("", "F1 of nodes", "Precision of edges", "Recall", "F1", "SHD once", "Twice", "Kappa")
    ]
    for name, each in comparisons.items():
        figures = (each.node.f1, each.edge.precision, each.edge.recall, each.edge.f1)
        lines.append((name, *map(_short, figures), str(each.shd.once), str(each.shd.twice), _short(each.kappa)))
    plain = plain_agreement(comparisons)
    mean, sd = plain["macro"]["mean"], plain["macro"]["population_sd"]
    spreads = ["–" if _at(mean, path) is None else f"{_at(mean, path):.4f} ± {_at(sd, path):.4f}" for path in _FIGURES]
    lines.append((f"Mean ± population sd over {len(comparisons)}", *spreads))
    pooled = [_at(plain["pooled"], path) for path in _FIGURES]
    totals = ["–" if value is None else str(value) if isinstance(value, int) else f"{value:.4f}" for value in pooled]
    lines.append(("Pooled", *totals))
    return in_table(lines)


_FIGURES = (
    ("node", "f1"),
    ("edge", "precision"),
    ("edge", "recall"),
    ("edge", "f1"),
    ("shd", "once"),
    ("shd", "twice"),
    ("kappa",),
)


def _at(document: Any, path: Sequence[str]) -> Any:
    for key in path:
        document = document[key]
    return document


def _short(estimate: Estimate) -> str:
    return "–" if estimate.value is None else in_words(Estimate(estimate.value))
