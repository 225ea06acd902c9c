"""Explicitness levels of several raters: consensus, estimates over texts, and agreement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.estimate import Estimate, undefined
from core.texts.explicitness import Explicitness, ExplicitnessLevel, explicitness

Levels = Mapping[str, ExplicitnessLevel]  # node → level, of one text


class RaterKind(StrEnum):
    PERSON = "person"
    MODEL = "model"
    BASELINE = "baseline"


BASELINE = "baseline: name in text"  # the rater that needs no model: 1 if the folded name is in the text, else 3


def agreed(by_rater: Iterable[Levels]) -> dict[str, ExplicitnessLevel]:
    """Return one level per node: the median of the raters'; of two in the middle the less explicit one, so that a node
    counts as explicit only where most say so.

    >>> agreed([{"a": ExplicitnessLevel(1)}, {"a": ExplicitnessLevel(2)}])["a"].value
    2
    """
    levels_by_node: dict[str, list[ExplicitnessLevel]] = {}
    for levels in by_rater:
        for node, level in levels.items():
            levels_by_node.setdefault(node, []).append(level)
    return {node: sorted(levels)[len(levels) // 2] for node, levels in levels_by_node.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimates:
    """Explicitness and its strict form over texts: the mean of the texts' shares, and the share of all their nodes
    (pooled). `texts` and `nodes` are those labelled."""

    texts: int
    nodes: int
    mean: Estimate
    mean_strict: Estimate
    pooled: Estimate
    pooled_strict: Estimate


NO_TEXTS = "no text is labelled"


def estimates(texts: Sequence[Levels]) -> Estimates:
    """Estimate from one rater's labelled texts (protocols, explicitness: both figures, of both definitions)."""
    each = [explicitness(levels.values()) for levels in texts if levels]
    pooled = explicitness(level for levels in texts for level in levels.values())
    nodes = sum(pooled.counts.values())
    return Estimates(
        texts=len(each),
        nodes=nodes,
        mean=_mean([shares.share for shares in each]),
        mean_strict=_mean([shares.strict for shares in each]),
        pooled=_share(pooled.share, nodes),
        pooled_strict=_share(pooled.strict, nodes),
    )


def of_text(levels: Levels) -> Explicitness:
    return explicitness(levels.values())


def _mean(shares: Sequence[float | None]) -> Estimate:
    known = [share for share in shares if share is not None]
    return Estimate(sum(known) / len(known), n=len(known)) if known else undefined(NO_TEXTS, 0)


def _share(share: float | None, nodes: int) -> Estimate:
    return undefined(NO_TEXTS, 0) if share is None else Estimate(share, n=nodes)
