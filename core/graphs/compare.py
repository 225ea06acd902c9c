"""Comparison of a candidate graph with a reference: matched, missed, spurious and reversed elements, and their scores.

Elements are plain sets: nodes by name, edges as ordered pairs (source, sink) of names. Signs play no part in matching;
they are compared on matched edges only. Self-loops are edges like others, except in kappa (ordered pairs of *distinct*
nodes) and in the pairs that normalise SHD."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from core.errors import InvalidGraph
from core.estimate import Estimate, ratio, undefined
from core.graphs.graph import CausalGraph
from core.graphs.released import AsReleased, score_as_released
from core.graphs.signs import settled_signs
from core.sign import Sign

Pair = tuple[str, str]


class ElementOutcome(StrEnum):
    """Result of comparing an element of either graph; a reversed edge is a kind of spurious one."""

    MATCHED = "matched"
    MISSED = "missed"
    SPURIOUS = "spurious"
    REVERSED = "reversed"


@dataclass(frozen=True, slots=True)
class ComparedNode:
    """A node of the union. `candidates` are the candidate's names for it: none if missed, several if merged."""

    name: str
    outcome: ElementOutcome
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComparedEdge:
    """An edge of the union, by aligned names. A sign is None where the graph has no such edge or no settled sign."""

    pair: Pair
    outcome: ElementOutcome
    reference_sign: Sign | None = None
    candidate_sign: Sign | None = None
    # it is spurious (then the outcome is REVERSED) and its reverse missed, or it is missed (it stays MISSED, so that
    # missed edges number `fn`) and its reverse spurious
    is_turned: bool = False

    @property
    def sign_differs(self) -> tuple[Sign, Sign] | None:
        """(reference sign, candidate sign) if the edge is matched and both signs are known and differ."""
        reference, candidate = self.reference_sign, self.candidate_sign
        return (reference, candidate) if reference and candidate and reference is not candidate else None


@dataclass(frozen=True, slots=True)
class SetScore:
    """Precision tp/(tp+fp), recall tp/(tp+fn), F1 2tp/(2tp+fp+fn), 0–1; undefined where the denominator is 0. So F1 is
    0, and not undefined, if just one of the graphs is empty."""

    tp: int
    fp: int
    fn: int
    precision: Estimate
    recall: Estimate
    f1: Estimate

    @classmethod
    def of(cls, tp: int, fp: int, fn: int, what: str) -> SetScore:
        return cls(
            tp,
            fp,
            fn,
            precision=ratio(tp, tp + fp, f"the compared graph has no {what}"),
            recall=ratio(tp, tp + fn, f"the reference has no {what}"),
            f1=ratio(2 * tp, 2 * tp + fp + fn, f"neither graph has {what}"),
        )


@dataclass(frozen=True, slots=True)
class Shd:
    """Structural Hamming distance in its parts; no edge is in two of them.

    `reversed` counts unordered pairs A, B of which the reference has A → B alone and the candidate B → A alone. Any
    other edge of one graph only is `missing` or `extra`, also half of a reciprocal pair: A ⇄ B against A → B is one
    missing edge, against nothing two (CDT's SHD without double counting calls that one). Self-loops count."""

    missing: int
    extra: int
    reversed: int

    @property
    def once(self) -> int:
        """SHD with a reversal as one mistake, the default."""
        return self.missing + self.extra + self.reversed

    @property
    def twice(self) -> int:
        """SHD with a reversal as a missing and an extra edge: fp + fn, the released code's scale."""
        return self.once + self.reversed


@dataclass(frozen=True, slots=True)
class NormalisedShd:
    """`Shd.once` over a denominator; not clipped at 1, which self-loops and spurious nodes may exceed. With n < 2 the
    first two are 0 by convention and say so; they are undefined if both graphs are empty."""

    gold_pairs: Estimate  # n(n−1), n = nodes of the reference; the default
    union_pairs: Estimate  # n(n−1), n = nodes of both graphs
    gold_edges: Estimate  # edges of the reference; undefined if it has none


@dataclass(frozen=True, slots=True)
class PairTable:
    """Ordered pairs of distinct nodes of the union by which graph has an edge there; tables of several graphs add
    up."""

    both: int
    reference_only: int
    candidate_only: int
    neither: int

    def __add__(self, other: PairTable) -> PairTable:
        return PairTable(
            self.both + other.both,
            self.reference_only + other.reference_only,
            self.candidate_only + other.candidate_only,
            self.neither + other.neither,
        )


@dataclass(frozen=True, slots=True)
class SignAgreement:
    """Matched edges by their signs; `unknown` are those without a settled sign in either graph."""

    equal: int
    different: int
    unknown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Scores of nodes and edges, and every element of the union: the reference's in its order, then the others."""

    node: SetScore
    edge: SetScore
    shd: Shd
    normalised: NormalisedShd
    pairs: PairTable
    kappa: Estimate
    as_released: AsReleased
    signs: SignAgreement
    nodes: tuple[ComparedNode, ...]
    edges: tuple[ComparedEdge, ...]


def compare(reference: CausalGraph, candidate: CausalGraph, alignment: Mapping[str, str] | None = None) -> Comparison:
    """Compare two graphs by name, after giving the candidate's aligned nodes their reference names.

    `alignment`: candidate name → reference name. Several candidate nodes may share one reference node: they become one
    node, edges that coincide become one edge, and an edge between two of them becomes a self-loop. Raises InvalidGraph
    if the alignment names an unknown node. Source of the definitions: ReCITE, appendix I (sets, κ) and the ReCast code
    (SHD twice).

    >>> from core.graphs.edge import Edge
    >>> found = compare(CausalGraph.of([Edge("A", "B")]), CausalGraph.of([Edge("B", "A")]))
    >>> found.edge.f1.value, found.shd.once, found.shd.twice
    (0.0, 1, 2)
    """
    name_of = checked_alignment(reference, candidate, alignment or {})
    reference_signs, candidate_signs = settled_signs(reference), settled_signs(renamed(candidate, name_of))
    nodes = _compared_nodes(reference, name_of)
    edges = _compared_edges(reference_signs, candidate_signs)
    outcomes = Counter(edge.outcome for edge in edges)
    matched = [edge for edge in edges if edge.outcome is ElementOutcome.MATCHED]
    different = sum(edge.sign_differs is not None for edge in matched)
    unknown = sum(edge.reference_sign is None or edge.candidate_sign is None for edge in matched)
    missing = sum(edge.outcome is ElementOutcome.MISSED and not edge.is_turned for edge in edges)
    shd = Shd(missing, outcomes[ElementOutcome.SPURIOUS], outcomes[ElementOutcome.REVERSED])
    gold, predicted = ({pair for pair in signs if pair[0] != pair[1]} for signs in (reference_signs, candidate_signs))
    n, both = len(nodes), len(gold & predicted)
    pairs = PairTable(both, len(gold) - both, len(predicted) - both, n * (n - 1) - len(gold | predicted))
    return Comparison(
        node=_set_score([node.outcome for node in nodes], "nodes"),
        edge=_set_score([edge.outcome for edge in edges], "edges"),
        shd=shd,
        normalised=_normalised(shd.once, len(reference.nodes), len(nodes), len(reference_signs)),
        pairs=pairs,
        kappa=cohen_kappa(pairs),
        as_released=score_as_released(reference_signs.keys(), candidate_signs.keys()),
        signs=SignAgreement(len(matched) - different - unknown, different, unknown),
        nodes=nodes,
        edges=edges,
    )


def checked_alignment(reference: CausalGraph, candidate: CausalGraph, alignment: Mapping[str, str]) -> dict[str, str]:
    """Return every candidate name → the name it is compared under. Raises InvalidGraph for unknown names."""
    known, reference_names = set(candidate.nodes), set(reference.nodes)
    for name, meant in alignment.items():
        if name not in known:
            raise InvalidGraph(f"The alignment “{name}” = “{meant}” names a node that the prediction does not have.")
        if meant not in reference_names:
            raise InvalidGraph(f"The alignment “{name}” = “{meant}” names a node that the reference does not have.")
    return {name: alignment.get(name, name) for name in candidate.nodes}


def renamed(graph: CausalGraph, name_of: Mapping[str, str]) -> CausalGraph:
    """Return the graph under other names; nodes given one name become one, and none of their edges is dropped."""
    edges = [replace(edge, source=name_of[edge.source], sink=name_of[edge.sink]) for edge in graph.edges]
    return CausalGraph.of(edges, [name_of[name] for name in graph.nodes])


def cohen_kappa(pairs: PairTable) -> Estimate:
    """Return Cohen's kappa, −1–1, of two graphs about which ordered pairs have an edge.

    Undefined with fewer than two nodes, and where chance agreement is certain: both graphs without an edge, or both
    with every edge. Cohen 1960, in counts so that no rounding blurs the undefined cases.

    >>> cohen_kappa(PairTable(2, 0, 0, 4)).value
    1.0
    """
    a, b, c, d = pairs.both, pairs.reference_only, pairs.candidate_only, pairs.neither
    n = a + b + c + d
    if n == 0:
        return undefined("there are fewer than two nodes, so no ordered pair to agree on", n)
    if a == n:
        return undefined("both graphs have every possible edge, so chance agreement is certain", n)
    if d == n:
        return undefined("neither graph has an edge, so chance agreement is certain", n)
    return Estimate(2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d)), n=n)


def _compared_nodes(reference: CausalGraph, name_of: Mapping[str, str]) -> tuple[ComparedNode, ...]:
    candidates: dict[str, list[str]] = {name: [] for name in reference.nodes}
    own = len(candidates)
    for name, meant in name_of.items():
        candidates.setdefault(meant, []).append(name)
    nodes = []
    for place, (name, names) in enumerate(candidates.items()):
        outcome = (
            ElementOutcome.SPURIOUS if place >= own else ElementOutcome.MATCHED if names else ElementOutcome.MISSED
        )
        nodes.append(ComparedNode(name, outcome, tuple(names)))
    return tuple(nodes)


def _compared_edges(
    reference_signs: Mapping[Pair, Sign | None], candidate_signs: Mapping[Pair, Sign | None]
) -> tuple[ComparedEdge, ...]:
    edges = []
    for pair in {**reference_signs, **candidate_signs}:
        turn = pair[::-1]
        if pair in reference_signs and pair in candidate_signs:
            edges.append(ComparedEdge(pair, ElementOutcome.MATCHED, reference_signs[pair], candidate_signs[pair]))
        elif pair in reference_signs:
            is_turned = turn in candidate_signs and turn not in reference_signs
            edges.append(
                ComparedEdge(pair, ElementOutcome.MISSED, reference_sign=reference_signs[pair], is_turned=is_turned)
            )
        else:
            is_turned = turn in reference_signs and turn not in candidate_signs
            outcome = ElementOutcome.REVERSED if is_turned else ElementOutcome.SPURIOUS
            edges.append(ComparedEdge(pair, outcome, candidate_sign=candidate_signs[pair], is_turned=is_turned))
    return tuple(edges)


def _set_score(outcomes: list[ElementOutcome], what: str) -> SetScore:
    tp, fn = outcomes.count(ElementOutcome.MATCHED), outcomes.count(ElementOutcome.MISSED)
    return SetScore.of(tp, len(outcomes) - tp - fn, fn, what)


def _normalised(shd: int, own: int, union: int, gold_edges: int) -> NormalisedShd:
    def over_pairs(n: int, whose: str) -> Estimate:
        if union == 0:
            return undefined("both graphs are empty")
        if n < 2:
            return Estimate(0.0, reason=f"0 by convention: {whose} fewer than two nodes, so no pair to divide by")
        return Estimate(shd / (n * (n - 1)))

    return NormalisedShd(
        gold_pairs=over_pairs(own, "the reference has"),
        union_pairs=over_pairs(union, "both graphs together have"),
        gold_edges=ratio(shd, gold_edges, "the reference has no edges"),
    )
