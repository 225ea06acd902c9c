"""Every score of a verdict, from its labels: five forms of nine figures, and SHD.

A block's composite is the mean of presence, abstraction and a third part. `default`: the third part is the one that is
legal there; an item of precision has the larger composite of its blocks, where one without a match counts 0; an item of
recall without a match has 0, weights are importances. `as_released` repeats the published program, label by label.
`importance_pooled` weighs overall recall by importance over nodes and edges together. The unweighted forms count
matches with the graph alone. (ReCITE, appendices D and Q; how the published program reads faulty verdicts:
docs/fidelity.md.)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from core.estimate import Estimate, undefined
from core.verdicts.labels import Section
from core.verdicts.tallies import SectionTally, WeighedSum, tally_of
from core.verdicts.verdict import Verdict

Tallies = Mapping[Section, SectionTally]


@dataclass(frozen=True, slots=True, kw_only=True)
class NineFigures:
    """Nine figures, each 0–1, undefined with its reason. By default, overall precision and recall pool items, and
    overall F1 is of these two."""

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
    """SHD by labels; each edge counts once."""

    extra: int  # predicted edges without a match
    missing: int  # true edges without a match
    reversed: int  # matched edges of the other direction
    total: int
    normalised: float  # by n(n−1), may exceed 1
    reason: str = ""  # what it does not include


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictScores:
    default: NineFigures
    as_released: NineFigures
    importance_pooled: NineFigures
    unweighted_literal: Unweighted
    unweighted_strict: Unweighted
    shd: LabelShd


def score_verdict(verdict: Verdict, gold_nodes: int | None = None) -> VerdictScores:
    """Return all scores of one verdict. `gold_nodes`: nodes of the ground truth, which normalise SHD; without it the
    nodes of node recall."""
    return score_tallies({section: tally_of(each) for section, each in verdict.sections.items()}, gold_nodes)


def score_tallies(tallies: Tallies, gold_nodes: int | None = None) -> VerdictScores:
    sums = {
        section: tallies[section].default if section in tallies else WeighedSum(problem=f"there is no {section.key}")
        for section in Section
    }
    default = _with_f1(
        {section.value: _mean(each) for section, each in sums.items()},
        _by_items(sums[Section.NODE_PRECISION], sums[Section.EDGE_PRECISION]),
        _by_items(sums[Section.NODE_RECALL], sums[Section.EDGE_RECALL]),
    )
    return VerdictScores(
        default=default,
        as_released=_as_released(tallies),
        importance_pooled=_importance_pooled(default, sums),
        unweighted_literal=_unweighted(tallies, is_strict=False),
        unweighted_strict=_unweighted(tallies, is_strict=True),
        shd=_shd(tallies, gold_nodes),
    )


def empty_scores(nodes: int, edges: int) -> VerdictScores:
    """Return the scores of an answer without an edge against a truth with these numbers of nodes and edges: 0 in every
    form, and the SHD of the empty graph.

    >>> scores = empty_scores(3, 2)
    >>> scores.default.overall_f1.value, scores.shd.total, round(scores.shd.normalised, 3)
    (0.0, 2, 0.333)
    """
    nine = NineFigures(**dict.fromkeys(FIGURES, Estimate(0.0)))
    unweighted = Unweighted(**{each.name: Estimate(0.0) for each in fields(Unweighted)})
    normalised = edges / (nodes * (nodes - 1)) if nodes > 1 else 0.0
    return VerdictScores(
        default=nine,
        as_released=nine,
        importance_pooled=nine,
        unweighted_literal=unweighted,
        unweighted_strict=unweighted,
        shd=LabelShd(extra=0, missing=edges, reversed=0, total=edges, normalised=normalised),
    )


def _mean(weighed: WeighedSum) -> Estimate:
    if weighed.problem:
        return undefined(weighed.problem)
    return (
        Estimate(weighed.total / weighed.weight, n=weighed.items) if weighed.weight else undefined("it has no item", 0)
    )


# --- default ----------------------------------------------------------------------------------------------------


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
    """Return the harmonic mean; 0 where both are 0, undefined where one of them is."""
    if precision.value is None:
        return undefined(precision.reason)
    if recall.value is None:
        return undefined(recall.reason)
    both = precision.value + recall.value
    return Estimate(2 * precision.value * recall.value / both if both else 0.0)


def _by_items(nodes: WeighedSum, edges: WeighedSum) -> Estimate:
    """Return the means of nodes and edges, weighted by their numbers of items."""
    for weighed in (nodes, edges):
        if weighed.problem:
            return undefined(weighed.problem)
    n = nodes.items + edges.items
    if not n:
        return undefined("there is neither a node nor an edge", 0)
    value = sum(each.items * each.total / each.weight for each in (nodes, edges) if each.weight) / n
    return Estimate(value, n=n)


def _importance_pooled(default: NineFigures, sums: Mapping[Section, WeighedSum]) -> NineFigures:
    nodes, edges = sums[Section.NODE_RECALL], sums[Section.EDGE_RECALL]
    both = WeighedSum(nodes.total + edges.total, nodes.weight + edges.weight, nodes.items + edges.items)
    problem = nodes.problem or edges.problem
    recall = undefined(problem) if problem else _mean(both)
    means = {section.value: getattr(default, section.value) for section in Section}
    return _with_f1(means, default.overall_precision, recall)


# --- as released --------------------------------------------------------------------------------------------------


def _as_released(tallies: Tallies) -> NineFigures:
    # A missing section counts as one without items.
    sums = {section: tallies[section].released if section in tallies else WeighedSum() for section in Section}
    means = {
        section.value: undefined(each.problem)
        if each.problem
        else Estimate(each.total / each.weight if each.weight else 0.0, n=each.items)
        for section, each in sums.items()
    }

    def overall(one: Section, other: Section) -> Estimate:
        for section in (one, other):
            if sums[section].problem:
                return undefined(sums[section].problem)
        n = sums[one].items + sums[other].items
        pooled = sum(sums[section].items * (means[section.value].value or 0.0) for section in (one, other))
        return Estimate(pooled / n if n else 0.0, n=n)

    return _with_f1(
        means,
        overall(Section.NODE_PRECISION, Section.EDGE_PRECISION),
        overall(Section.NODE_RECALL, Section.EDGE_RECALL),
    )


# --- unweighted ---------------------------------------------------------------------------------------------------


def _unweighted(tallies: Tallies, *, is_strict: bool) -> Unweighted:
    sums = {section: _matched(tallies.get(section), section, is_strict) for section in Section}
    means = {section.value: _mean(each) for section, each in sums.items()}

    def mean(one: Estimate, other: Estimate) -> Estimate:
        if one.value is None or other.value is None:
            return undefined(one.reason or other.reason)
        return Estimate((one.value + other.value) / 2)

    def pooled(one: Section, other: Section) -> Estimate:
        nodes, edges = sums[one], sums[other]
        if nodes.problem or edges.problem:
            return undefined(nodes.problem or edges.problem)
        return _mean(WeighedSum(nodes.total + edges.total, nodes.weight + edges.weight, nodes.items + edges.items))

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


def _matched(tally: SectionTally | None, section: Section, is_strict: bool) -> WeighedSum:
    """Return the sum of matches; every listed item counts, also an unreadable one."""
    if tally is None:
        return WeighedSum(problem=f"there is no {section.key}")
    if tally.absent:
        return WeighedSum(problem=tally.absent)
    return WeighedSum(tally.strict if is_strict else tally.matched, tally.listed, tally.listed)


def _shd(tallies: Tallies, gold_nodes: int | None) -> LabelShd:
    predicted, true = tallies.get(Section.EDGE_PRECISION), tallies.get(Section.EDGE_RECALL)
    extra = 0 if predicted is None else predicted.listed - predicted.matched
    missing = 0 if true is None else true.listed - true.matched
    turned = 0 if predicted is None else predicted.patterns.matched_reversed
    recalled = tallies.get(Section.NODE_RECALL)
    n = gold_nodes if gold_nodes is not None else recalled.listed if recalled is not None else 0
    needed = [Section.EDGE_PRECISION, Section.EDGE_RECALL]
    if gold_nodes is None:
        needed.append(Section.NODE_RECALL)
    absent = [section.key for section in needed if section not in tallies or tallies[section].absent]
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
