"""A comparison of two graphs as JSON and as text. The keys are stable."""

from __future__ import annotations

from collections import Counter
from typing import Any

from cli.files.output import estimates, in_table, in_words
from core.graphs.alignment import align_names, pairs_of
from core.graphs.compare import Comparison, SetScore, compare
from core.graphs.graph import CausalGraph
from core.graphs.names import fold_name
from core.words import quoted
from exchange.edge_rows import listed


def compare_folded(reference: CausalGraph, prediction: CausalGraph) -> tuple[Comparison, list[str]]:
    """Compare by names that are equal after folding, as the graph lab does before names are aligned. The notices
    list folded names, and names that were not folded because several reference names fold alike."""
    aligned = align_names(reference.nodes, prediction.nodes, {})
    folds = Counter(map(fold_name, reference.nodes))
    folded = [
        f"{quoted(each.name)} as {quoted(each.reference)}"
        for each in aligned
        if each.reference is not None and each.kind == "same after folding"
    ]
    unclear = [quoted(each.name) for each in aligned if each.kind == "new" and folds[fold_name(each.name)] > 1]
    notices = [f"Names equal after folding were compared as one: {listed(folded)}."] if folded else []
    if unclear:
        notices.append(f"Names equal to several of the reference after folding were left alone: {listed(unclear)}.")
    return compare(reference, prediction, pairs_of(aligned)), notices


def plain_comparison(comparison: Comparison) -> dict[str, Any]:
    released = comparison.as_released
    return {
        "node": _plain_score(comparison.node),
        "edge": _plain_score(comparison.edge),
        "shd": {
            "missing": comparison.shd.missing,
            "extra": comparison.shd.extra,
            "reversed": comparison.shd.reversed,
            "once": comparison.shd.once,
            "twice": comparison.shd.twice,
        },
        "normalised": estimates(
            gold_pairs=comparison.normalised.gold_pairs,
            union_pairs=comparison.normalised.union_pairs,
            gold_edges=comparison.normalised.gold_edges,
        ),
        **estimates(kappa=comparison.kappa),
        "as_released": estimates(
            precision=released.precision,
            recall=released.recall,
            f1=released.f1,
            shd=released.shd,
            normalized_shd=released.normalized_shd,
        ),
    }


def _plain_score(score: SetScore) -> dict[str, Any]:
    counts = {"tp": score.tp, "fp": score.fp, "fn": score.fn}
    return counts | estimates(precision=score.precision, recall=score.recall, f1=score.f1)


def words_of(comparison: Comparison) -> str:
    rows = [("", "Matched", "Missed", "Spurious", "Precision", "Recall", "F1")]
    reasons: list[tuple[str, str]] = []
    for what, score in (("nodes", comparison.node), ("edges", comparison.edge)):
        figures = {"precision": score.precision, "recall": score.recall, "F1": score.f1}
        shown = ["–" if figure.value is None else in_words(figure) for figure in figures.values()]
        rows.append((what.capitalize(), str(score.tp), str(score.fn), str(score.fp), shown[0], shown[1], shown[2]))
        reasons += [
            (f"{name[0].upper()}{name[1:]} of {what}", in_words(each))
            for name, each in figures.items()
            if each.value is None
        ]
    return f"{in_table(rows)}\n\n{in_table([*reasons, *_distances(comparison)])}"


def _distances(comparison: Comparison) -> list[tuple[str, str]]:
    shd, normalised, released, signs = comparison.shd, comparison.normalised, comparison.as_released, comparison.signs
    parts = f"{shd.missing} missed, {shd.extra} spurious, {shd.reversed} reversed"
    return [
        ("Signs of matched edges", f"{signs.equal} equal, {signs.different} different, {signs.unknown} unknown"),
        ("Structural Hamming distance (SHD), a reversal counted once", f"{shd.once}: {parts}"),
        ("  Over n(n−1) of the reference", in_words(normalised.gold_pairs)),
        ("  Over n(n−1) of both graphs", in_words(normalised.union_pairs)),
        ("  Over edges of the reference", in_words(normalised.gold_edges)),
        ("SHD, a reversal counted twice", str(shd.twice)),
        ("Kappa over ordered pairs", in_words(comparison.kappa)),
        ("As released: area under the PR curve", in_words(released.precision)),
        ("As released: mean of the curve's points", in_words(released.recall)),
        ("As released: F1 of the two", in_words(released.f1)),
    ]
