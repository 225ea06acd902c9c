"""Agreement of two transcriptions of one figure, as the paper counts it and with names aligned, in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import permutations

import numpy as np

from core.agreement.counts import GraphCounts
from core.agreement.ratings import Ratings
from core.agreement.tallies import Counts, DelayTable, LoopCounts, LoopKinds, NameTable, SignTable
from core.graphs.alignment import OWN, AlignedName, NameClass, align_names, pairs_of
from core.graphs.circuits import never
from core.graphs.compare import Comparison, ElementOutcome, SetScore, compare, renamed
from core.graphs.graph import CausalGraph
from core.graphs.loops import MOST_LOOPS, find_loops
from core.sign import Sign


class View(StrEnum):
    """Cost of differing names. The alignment of variables, and so of edges, is the same in both views."""

    # typos are corrected; a minor difference and a major mismatch are each one false positive node (table 21)
    PRINTED = "printed labels"
    ALIGNED = "aligned names"  # minor differences are aligned too; a major mismatch stays one false positive node


@dataclass(frozen=True, slots=True)
class NameRuling:
    """A ruling that the candidate's name `candidate` is the reference's variable `reference`, or not, for DISTINCT."""

    candidate: str
    reference: str
    kind: NameClass


@dataclass(frozen=True, slots=True)
class GraphAgreement:
    comparison: Comparison  # of the aligned graphs, element by element
    alignments: Mapping[NameClass, int]  # names of the candidate by class, those merged by folding under TYPO
    counts: Mapping[View, GraphCounts]  # of both views; they differ in nodes only
    # every name of the candidate with the class of its difference, None if it is the same or unaligned
    names: tuple[tuple[AlignedName, NameClass | None], ...] = ()
    # matched edges with a delay in one graph only → True if that is the reference
    delays: Mapping[tuple[str, str], bool] = field(default_factory=dict)

    def swapped(self) -> Mapping[View, GraphCounts]:
        """Return the counts with the candidate as reference, under the same alignment of names. The cost of a name
        falls on the candidate, whichever that is: it stays a false positive."""
        return {
            view: _swapped(counts, cost=counts.nodes.fp - self.comparison.node.fp)
            for view, counts in self.counts.items()
        }


def agreement(
    figure: str,
    reference: CausalGraph,
    candidate: CausalGraph,
    rulings: Sequence[NameRuling] = (),
    *,
    most_loops: int = MOST_LOOPS,
    is_over: Callable[[], bool] = never,
) -> GraphAgreement:
    """Return the agreement of the first and the second transcription of one figure.

    Names are compared after the automatic folding (case, white space, hyphens, Unicode forms) and after the rulings; a
    ruling on a missing name is ignored. A reference variable with an aligned name is found, so no false negative, in
    any spelling. Loops beyond `most_loops`, or not found before `is_over()` says that the time is up, make the overlap
    of loops undefined. ReCITE, appendix I.

    >>> from core.graphs.edge import Edge
    >>> first, second = CausalGraph.of([Edge("CO2 emissions", "Heat")]), CausalGraph.of([Edge("emissions", "Heat")])
    >>> found = agreement("A", first, second, [NameRuling("emissions", "CO2 emissions", NameClass.MINOR)])
    >>> [found.counts[view].nodes for view in View], found.comparison.edge.tp
    ([Counts(tp=2, fp=1, fn=0), Counts(tp=2, fp=0, fn=0)], 1)
    """
    ruled = {ruling.candidate: ruling for ruling in rulings}
    decided = {name: OWN if r.kind is NameClass.DISTINCT else r.reference for name, r in ruled.items()}
    aligned = align_names(reference.nodes, candidate.nodes, decided)
    names = tuple((pair, _class_of(pair, ruled)) for pair in aligned)
    classes = Counter(kind for _pair, kind in names)
    name_of = pairs_of(aligned)
    comparison = compare(reference, candidate, name_of)
    aligned_candidate = renamed(candidate, {name: name_of.get(name, name) for name in candidate.nodes})
    loops, kinds = _loop_counts(reference, aligned_candidate, most_loops, is_over)
    delays, unequal = _delays(comparison, reference, aligned_candidate)
    by_class = Counter(kind for pair, kind in names if pair.reference is not None)
    plain = GraphCounts(
        figure=figure,
        nodes=_set(comparison.node),
        edges=_set(comparison.edge),
        pairs=comparison.pairs,
        signs=_sign_table(comparison),
        loops=loops,
        delays=delays,
        kinds=kinds,
        names=NameTable(*(by_class[kind] for kind in (None, NameClass.TYPO, NameClass.MINOR, NameClass.MAJOR))),
        reversed=comparison.shd.reversed,
    )
    costs = {View.PRINTED: classes[NameClass.MINOR] + classes[NameClass.MAJOR], View.ALIGNED: classes[NameClass.MAJOR]}
    counts = {view: replace(plain, nodes=plain.nodes + Counts(0, cost, 0)) for view, cost in costs.items()}
    return GraphAgreement(comparison, {kind: classes[kind] for kind in NameClass}, counts, names, unequal)


def pair_ratings(graphs: Sequence[CausalGraph]) -> Ratings:
    """Return graphs of one figure as raters of ordered pairs: 1 where a graph has the edge, 0 where not.

    Units are the ordered pairs of distinct nodes of all graphs together, by name: align the names first. For alpha or
    AC1 of more than two transcriptions. Self-loops are no pair of distinct nodes and are left out."""
    nodes = dict.fromkeys(name for graph in graphs for name in graph.nodes)
    drawn = [{edge.pair for edge in graph.edges} for graph in graphs]
    codes = [[int(pair in edges) for edges in drawn] for pair in permutations(nodes, 2)]
    return Ratings(np.array(codes, dtype=np.intp).reshape(len(codes), len(graphs)), (0, 1))


def _class_of(pair: AlignedName, ruled: Mapping[str, NameRuling]) -> NameClass | None:
    if pair.kind == "same after folding":
        return NameClass.TYPO
    return ruled[pair.name].kind if pair.kind in ("decided", "decided new") else None


def _set(score: SetScore) -> Counts:
    return Counts(score.tp, score.fp, score.fn)


def _sign_table(comparison: Comparison) -> SignTable:
    matched = [edge for edge in comparison.edges if edge.outcome is ElementOutcome.MATCHED]
    by_signs = Counter((edge.reference_sign, edge.candidate_sign) for edge in matched)
    plus, minus = Sign.PLUS, Sign.MINUS
    known = (by_signs[plus, plus], by_signs[plus, minus], by_signs[minus, plus], by_signs[minus, minus])
    return SignTable(*known, len(matched) - sum(known))


def _delays(
    comparison: Comparison, reference: CausalGraph, candidate: CausalGraph
) -> tuple[DelayTable, dict[tuple[str, str], bool]]:
    reference_delays, candidate_delays = (
        {edge.pair for edge in graph.edges if edge.delay} for graph in (reference, candidate)
    )
    matched = [edge.pair for edge in comparison.edges if edge.outcome is ElementOutcome.MATCHED]
    by_marks = Counter((pair in reference_delays, pair in candidate_delays) for pair in matched)
    table = DelayTable(by_marks[True, True], by_marks[True, False], by_marks[False, True], by_marks[False, False])
    return table, {
        pair: pair in reference_delays
        for pair in matched
        if (pair in reference_delays) is not (pair in candidate_delays)
    }


def _loop_counts(
    reference: CausalGraph, candidate: CausalGraph, most: int, is_over: Callable[[], bool]
) -> tuple[LoopCounts, LoopKinds]:
    both = [find_loops(graph, most=most, is_over=is_over) for graph in (reference, candidate)]
    reference_loops, candidate_loops = ({_turned(loop.nodes): loop.kind for loop in result.loops} for result in both)
    common = reference_loops.keys() & candidate_loops.keys()
    counts = LoopCounts(
        len(common),
        len(reference_loops) - len(common),
        len(candidate_loops) - len(common),
        int(any(result.is_capped for result in both)),
    )
    kinds = ("R", "B", None)
    in_both = [sum(reference_loops[loop] == candidate_loops[loop] == kind for loop in common) for kind in kinds]
    in_each = [sum(kind == each for each in (*reference_loops.values(), *candidate_loops.values())) for kind in kinds]
    return counts, LoopKinds(*in_both, *(each - shared for each, shared in zip(in_each, in_both, strict=True)))


def _turned(nodes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the loop starting at its alphabetically first name, so that one loop is one tuple."""
    start = nodes.index(min(nodes))
    return nodes[start:] + nodes[:start]


def _swapped(counts: GraphCounts, cost: int) -> GraphCounts:
    nodes, edges, pairs, signs, loops, delays = (
        counts.nodes,
        counts.edges,
        counts.pairs,
        counts.signs,
        counts.loops,
        counts.delays,
    )
    return replace(
        counts,
        nodes=Counts(nodes.tp, nodes.fn + cost, nodes.fp - cost),
        edges=Counts(edges.tp, edges.fn, edges.fp),
        pairs=replace(pairs, reference_only=pairs.candidate_only, candidate_only=pairs.reference_only),
        signs=replace(signs, plus_minus=signs.minus_plus, minus_plus=signs.plus_minus),
        loops=replace(loops, reference_only=loops.candidate_only, candidate_only=loops.reference_only),
        delays=replace(delays, reference_only=delays.candidate_only, candidate_only=delays.reference_only),
    )
