"""Every score of a verdict, from its labels: five forms of nine figures, and SHD.

A block's composite is the mean of presence, abstraction and a third part. `default`: the third part is the one that is
legal there; an item of precision has the larger composite of its blocks, where one without a match counts 0; an item
of recall without a match has 0, weights are importances. `as_released` repeats the published program, label by label.
`importance_pooled` weighs overall recall by importance over nodes and edges together. The unweighted forms count
matches with the graph alone. (ReCITE, appendices D and Q; how the published program reads faulty verdicts:
docs/fidelity.md.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from core.estimate import Estimate, undefined
from core.verdicts.labels import (
    ABSTRACTION,
    DIRECTION,
    IMPORTANCE,
    INFERENCE,
    LEGAL,
    MATCHES,
    MISSING,
    NO_MATCH,
    PRESENCE,
    REVERSED,
    SEMANTIC,
    Block,
    Section,
    number_of,
)
from core.verdicts.verdict import SectionVerdict, Verdict, VerdictItem
from core.words import counted

_FAILS = "the released code fails on"


@dataclass(frozen=True, slots=True, kw_only=True)
class NineFigures:
    """Each 0–1, undefined with its reason. Overall precision and recall pool items, overall F1 is of these two, unless
    a form says otherwise."""

    node_precision: Estimate
    node_recall: Estimate
    node_f1: Estimate
    edge_precision: Estimate
    edge_recall: Estimate
    edge_f1: Estimate
    overall_precision: Estimate
    overall_recall: Estimate
    overall_f1: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Unweighted(NineFigures):
    """`overall_…`: the paper's means of the node and the edge figure; `pooled_…`: of the counts of both together."""

    pooled_precision: Estimate
    pooled_recall: Estimate
    pooled_f1: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelShd:
    """SHD by labels: predicted edges without a match (`extra`), true edges without one (`missing`), matched ones of the
    other direction (`reversed`), each counted once. `normalised` by n(n−1), may exceed 1; `reason`: what is not in it.
    """

    extra: int
    missing: int
    reversed: int
    total: int
    normalised: float
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictScores:
    default: NineFigures
    as_released: NineFigures
    importance_pooled: NineFigures
    unweighted_literal: Unweighted
    unweighted_strict: Unweighted
    shd: LabelShd


@dataclass(frozen=True, slots=True)
class _Sum:
    """Of a section: Σ score × weight and Σ weight, the number of its items, or why there is none."""

    total: float = 0.0
    weight: float = 0.0
    items: int = 0
    reason: str = ""

    @property
    def mean(self) -> Estimate:
        if self.reason:
            return undefined(self.reason)
        return Estimate(self.total / self.weight, n=self.items) if self.weight else undefined("it has no item", 0)


def score_verdict(verdict: Verdict, gold_nodes: int | None = None) -> VerdictScores:
    """All scores of one verdict. `gold_nodes`: nodes of the ground truth, which normalise SHD; without it those that
    node recall lists."""
    sums = {section: _default_sum(verdict, section) for section in Section}
    default = _figures(sums)
    return VerdictScores(
        default=default,
        as_released=_as_released(verdict),
        importance_pooled=_importance_pooled(default, sums),
        unweighted_literal=_unweighted(verdict, is_strict=False),
        unweighted_strict=_unweighted(verdict, is_strict=True),
        shd=_shd(verdict, gold_nodes),
    )


# --- default ----------------------------------------------------------------------------------------------------


def composite(section: Section, item: VerdictItem, block: Block) -> float:
    """Mean of the three numbers of a block whose labels are all there, 0–1."""
    said = [field for field in LEGAL[section, block] if field != IMPORTANCE]
    return sum(number_of(field, item.label(block, field)) for field in said) / 3


def item_score(section: Section, item: VerdictItem) -> float:
    """What an item whose labels are all there is worth: the larger composite of its blocks, 0 for one without a
    match."""
    return max(
        0.0 if item.label(block, PRESENCE) == NO_MATCH else composite(section, item, block) for block in section.blocks
    )


def weight_of(section: Section, item: VerdictItem) -> float:
    """1 in precision, the importance in recall."""
    return 1.0 if Block.ITEM not in section.blocks else number_of(IMPORTANCE, item.label(Block.ITEM, IMPORTANCE))


def _default_sum(verdict: Verdict, section: Section) -> _Sum:
    found = verdict.sections.get(section)
    if found is None:
        return _Sum(reason=f"there is no {section.key}")
    if found.problem:
        return _Sum(reason=found.problem)
    if found.faults:
        return _Sum(reason=f"{found.faulty} of {counted(found.n, 'item')} are missing or have a fault")
    weights = [weight_of(section, item) for item in found.items]
    scores = [item_score(section, item) for item in found.items]
    return _Sum(sum(w * s for w, s in zip(weights, scores, strict=True)), sum(weights), len(found.items))


def _figures(sums: Mapping[Section, _Sum]) -> NineFigures:
    means = {section.value: each.mean for section, each in sums.items()}
    precision = _by_items(sums[Section.NODE_PRECISION], sums[Section.EDGE_PRECISION])
    recall = _by_items(sums[Section.NODE_RECALL], sums[Section.EDGE_RECALL])
    return _with_f1(means, precision, recall)


def _with_f1(means: Mapping[str, Estimate], precision: Estimate, recall: Estimate) -> NineFigures:
    return NineFigures(
        **means,
        node_f1=f1(means["node_precision"], means["node_recall"]),
        edge_f1=f1(means["edge_precision"], means["edge_recall"]),
        overall_precision=precision,
        overall_recall=recall,
        overall_f1=f1(precision, recall),
    )


def f1(precision: Estimate, recall: Estimate) -> Estimate:
    """Harmonic mean; 0 where both are 0, undefined where one of them is."""
    if precision.value is None:
        return undefined(precision.reason)
    if recall.value is None:
        return undefined(recall.reason)
    both = precision.value + recall.value
    return Estimate(2 * precision.value * recall.value / both if both else 0.0)


def _by_items(nodes: _Sum, edges: _Sum) -> Estimate:
    """The means of nodes and edges, weighed by how many items each has."""
    for each in (nodes, edges):
        if each.reason:
            return undefined(each.reason)
    n = nodes.items + edges.items
    if not n:
        return undefined("there is neither a node nor an edge", 0)
    value = sum(each.items * (each.mean.value or 0.0) for each in (nodes, edges)) / n
    return Estimate(value, n=n)


def _importance_pooled(default: NineFigures, sums: Mapping[Section, _Sum]) -> NineFigures:
    nodes, edges = sums[Section.NODE_RECALL], sums[Section.EDGE_RECALL]
    both = _Sum(nodes.total + edges.total, nodes.weight + edges.weight, nodes.items + edges.items)
    recall = undefined(nodes.reason or edges.reason) if nodes.reason or edges.reason else both.mean
    means = {section.value: getattr(default, section.value) for section in Section}
    return _with_f1(means, default.overall_precision, recall)


# --- as released --------------------------------------------------------------------------------------------------


class _Fails(Exception):
    """What the released program stops at."""


def _as_released(verdict: Verdict) -> NineFigures:
    sums = {section: _released_sum(verdict.sections.get(section)) for section in Section}
    means = {
        section.value: undefined(each.reason)
        if each.reason
        else Estimate(each.total / each.weight if each.weight else 0.0, n=each.items)
        for section, each in sums.items()
    }

    def overall(one: Section, other: Section) -> Estimate:
        for section in (one, other):
            if sums[section].reason:
                return undefined(sums[section].reason)
        n = sums[one].items + sums[other].items
        pooled = sum(sums[section].items * (means[section.value].value or 0.0) for section in (one, other))
        return Estimate(pooled / n if n else 0.0, n=n)

    return _with_f1(
        means,
        overall(Section.NODE_PRECISION, Section.EDGE_PRECISION),
        overall(Section.NODE_RECALL, Section.EDGE_RECALL),
    )


def _released_sum(found: SectionVerdict | None) -> _Sum:
    """A section that is not there counts as one without items."""
    if found is None:
        return _Sum()
    try:
        if not isinstance(found.raw, list):
            raise _Fails(f"{found.section.key}, which has no list of items")
        if Block.ITEM in found.section.blocks:
            weighed = [_released_recall(each) for each in found.raw]
        else:
            weighed = [(_released_precision(each), 1.0) for each in found.raw]
    except _Fails as fails:
        return _Sum(reason=f"{_FAILS} {fails}", items=len(found.raw) if isinstance(found.raw, list) else 0)
    return _Sum(sum(score * weight for score, weight in weighed), sum(weight for _, weight in weighed), len(weighed))


def _released_precision(item: Any) -> float:
    """The larger composite of the two blocks, 0 only where neither has a match: what is left in one that has none
    counts, if the other has one."""
    if not isinstance(item, Mapping):
        raise _Fails("an item that is no mapping")
    blocks = [item.get(block.key, {}) for block in (Block.GRAPH, Block.TEXT)]
    if all(block is None or block == {} or _is_no_match(block) for block in blocks):
        return 0.0
    return max(_released_composite(block) for block in blocks)


def _released_recall(item: Any) -> tuple[float, float]:
    if not isinstance(item, Mapping):
        raise _Fails("an item that is no mapping")
    score = 0.0 if _is_no_match(item) else _released_composite(item)
    return score, number_of(IMPORTANCE, item.get(IMPORTANCE))


def _is_no_match(block: Any) -> bool:
    return isinstance(block, Mapping) and block.get(PRESENCE) == NO_MATCH


def _released_composite(block: Any) -> float:
    """The third part is inference if there is such a key, else direction, else likeness of meaning."""
    if not isinstance(block, Mapping):
        raise _Fails("a block that is null beside a match" if block is None else "a block that is no mapping")
    third = next((field for field in (INFERENCE, DIRECTION) if field in block), SEMANTIC)
    return sum(number_of(field, block.get(field)) for field in (PRESENCE, third, ABSTRACTION)) / 3


# --- unweighted ---------------------------------------------------------------------------------------------------


def is_match(section: Section, item: VerdictItem, *, is_strict: bool = False) -> bool:
    """Whether an item is matched by the graph. `is_strict`: one of the other direction, or without any, is none."""
    block = section.blocks[0]
    if item.label(block, PRESENCE) not in MATCHES:
        return False
    return not is_strict or item.label(block, DIRECTION) not in (REVERSED, MISSING)


def _unweighted(verdict: Verdict, *, is_strict: bool) -> Unweighted:
    sums = {section: _matched(verdict.sections.get(section), section, is_strict) for section in Section}
    means = {section.value: each.mean for section, each in sums.items()}

    def mean(one: Estimate, other: Estimate) -> Estimate:
        if one.value is None or other.value is None:
            return undefined(one.reason or other.reason)
        return Estimate((one.value + other.value) / 2)

    def pooled(one: Section, other: Section) -> Estimate:
        nodes, edges = sums[one], sums[other]
        if nodes.reason or edges.reason:
            return undefined(nodes.reason or edges.reason)
        return _Sum(nodes.total + edges.total, nodes.weight + edges.weight, nodes.items + edges.items).mean

    node_f1, edge_f1 = (f1(means[f"{what}_precision"], means[f"{what}_recall"]) for what in ("node", "edge"))
    precision = pooled(Section.NODE_PRECISION, Section.EDGE_PRECISION)
    recall = pooled(Section.NODE_RECALL, Section.EDGE_RECALL)
    return Unweighted(
        **means,
        node_f1=node_f1,
        edge_f1=edge_f1,
        overall_precision=mean(means["node_precision"], means["edge_precision"]),
        overall_recall=mean(means["node_recall"], means["edge_recall"]),
        overall_f1=mean(node_f1, edge_f1),
        pooled_precision=precision,
        pooled_recall=recall,
        pooled_f1=f1(precision, recall),
    )


def _matched(found: SectionVerdict | None, section: Section, is_strict: bool) -> _Sum:
    """Every listed item counts, also one that cannot be read."""
    if found is None:
        return _Sum(reason=f"there is no {section.key}")
    if found.problem:
        return _Sum(reason=found.problem)
    matched = sum(is_match(section, item, is_strict=is_strict) for item in found.items)
    return _Sum(matched, len(found.items), len(found.items))


def _shd(verdict: Verdict, gold_nodes: int | None) -> LabelShd:
    def edges(section: Section) -> tuple[VerdictItem, ...]:
        found = verdict.sections.get(section)
        return found.items if found is not None else ()

    predicted, true = edges(Section.EDGE_PRECISION), edges(Section.EDGE_RECALL)
    extra = sum(not is_match(Section.EDGE_PRECISION, item) for item in predicted)
    missing = sum(not is_match(Section.EDGE_RECALL, item) for item in true)
    turned = sum(
        is_match(Section.EDGE_PRECISION, item) and item.label(Block.GRAPH, DIRECTION) == REVERSED for item in predicted
    )
    recalled = verdict.sections.get(Section.NODE_RECALL)
    n = gold_nodes if gold_nodes is not None else len(recalled.items) if recalled is not None else 0
    needed = [Section.EDGE_PRECISION, Section.EDGE_RECALL]
    if gold_nodes is None:
        needed.append(Section.NODE_RECALL)
    absent = [section.key for section in needed if section not in verdict.sections or verdict.sections[section].problem]
    total = extra + missing + turned
    return LabelShd(
        extra=extra,
        missing=missing,
        reversed=turned,
        total=total,
        normalised=total / (n * (n - 1)) if n > 1 else 0.0,
        reason=f"without {', '.join(absent)}" if absent else "",
    )


FIGURES = tuple(field.name for field in fields(NineFigures))
"""The nine, in their order."""
