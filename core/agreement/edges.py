"""How far two transcriptions of one figure agree, as the paper counts it and with names aligned, in one go."""

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
    """What a name costs. Which variable is which, and so every edge, is the same in both views."""

    PRINTED = "printed labels"
    """Typos are corrected; a minor difference and a major mismatch are each one false positive node (table 21)."""
    ALIGNED = "aligned names"
    """Minor differences are aligned away too; a major mismatch stays one false positive node."""


@dataclass(frozen=True, slots=True)
class NameRuling:
    """The candidate's name `candidate` is the variable `reference` of the reference, or not, if `kind` is DISTINCT."""

    candidate: str
    reference: str
    kind: NameClass


@dataclass(frozen=True, slots=True)
class GraphAgreement:
    """Two graphs compared. `alignments`: names of the candidate by class, those that folding made one under TYPO.

    `comparison` is of the aligned graphs, element by element; `delays` are its matched edges that only one of them
    marks, with whether the reference does. `names` is every name of the candidate with the class of its difference,
    None where it is the same or nobody's. `counts` are of both views; they differ in nodes only.
    """

    comparison: Comparison
    alignments: Mapping[NameClass, int]
    counts: Mapping[View, GraphCounts]
    names: tuple[tuple[AlignedName, NameClass | None], ...] = ()
    delays: Mapping[tuple[str, str], bool] = field(default_factory=dict)

    def swapped(self) -> Mapping[View, GraphCounts]:
        """The counts with the candidate as reference, under the same alignment of names.

        What a name costs falls on the candidate, whichever that is: it stays a false positive.
        """
        return {view: _swapped(counts, self._cost(view)) for view, counts in self.counts.items()}

    def _cost(self, view: View) -> int:
        return self.counts[view].nodes.fp - self.comparison.node.fp


def agreement(
    figure: str,
    reference: CausalGraph,
    candidate: CausalGraph,
    rulings: Sequence[NameRuling] = (),
    *,
    most_loops: int = MOST_LOOPS,
    is_over: Callable[[], bool] = never,
) -> GraphAgreement:
    """Agreement about one figure (`figure`: the caller's name of it) of the first and the second transcription.

    Names are compared after the folding that needs nobody (case, white space, hyphens, Unicode forms) and after the
    rulings; one about a name that is not there counts for nothing. A reference variable is found, so no false
    negative, whatever its name is written like. Loops beyond `most_loops`, or not found when `is_over()` says that
    the time is up, make the overlap of loops undefined. ReCITE, appendix I.

    >>> from core.graphs.edge import Edge
    >>> ours, theirs = CausalGraph.of([Edge("CO2 emissions", "Heat")]), CausalGraph.of([Edge("emissions", "Heat")])
    >>> found = agreement("A", ours, theirs, [NameRuling("emissions", "CO2 emissions", NameClass.MINOR)])
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
    theirs = renamed(candidate, _named(candidate, name_of))
    loops, kinds = _loop_counts(reference, theirs, most_loops, is_over)
    delays, unequal = _delays(comparison, reference, theirs)
    plain = GraphCounts(
        figure=figure,
        nodes=_set(comparison.node),
        edges=_set(comparison.edge),
        pairs=comparison.pairs,
        signs=_sign_table(comparison),
        loops=loops,
        delays=delays,
        kinds=kinds,
        names=_name_table(names),
        reversed=comparison.shd.reversed,
    )
    costs = {View.PRINTED: classes[NameClass.MINOR] + classes[NameClass.MAJOR], View.ALIGNED: classes[NameClass.MAJOR]}
    counts = {view: replace(plain, nodes=plain.nodes + Counts(0, cost, 0)) for view, cost in costs.items()}
    return GraphAgreement(comparison, {kind: classes[kind] for kind in NameClass}, counts, names, unequal)


def pair_ratings(graphs: Sequence[CausalGraph]) -> Ratings:
    """Graphs of one figure as raters of ordered pairs: 1 where a graph has the edge, 0 where not.

    Units are the ordered pairs of distinct nodes of all graphs together, by name: align the names first. For alpha or
    AC1 of more than two transcriptions. Self-loops are no pair of distinct nodes and are left out.
    """
    nodes = dict.fromkeys(name for graph in graphs for name in graph.nodes)
    drawn = [{edge.pair for edge in graph.edges} for graph in graphs]
    codes = [[int(pair in edges) for edges in drawn] for pair in permutations(nodes, 2)]
    return Ratings(np.array(codes, dtype=np.intp).reshape(len(codes), len(graphs)), (0, 1))


def _named(candidate: CausalGraph, name_of: Mapping[str, str]) -> dict[str, str]:
    return {name: name_of.get(name, name) for name in candidate.nodes}


def _class_of(pair: AlignedName, ruled: Mapping[str, NameRuling]) -> NameClass | None:
    if pair.kind == "same after folding":
        return NameClass.TYPO
    return ruled[pair.name].kind if pair.kind in ("decided", "decided new") else None


def _set(score: SetScore) -> Counts:
    return Counts(score.tp, score.fp, score.fn)


def _name_table(names: Sequence[tuple[AlignedName, NameClass | None]]) -> NameTable:
    found = Counter(kind for pair, kind in names if pair.reference is not None)
    return NameTable(found[None], found[NameClass.TYPO], found[NameClass.MINOR], found[NameClass.MAJOR])


def _sign_table(comparison: Comparison) -> SignTable:
    matched = [edge for edge in comparison.edges if edge.outcome is ElementOutcome.MATCHED]
    found = Counter((edge.reference_sign, edge.candidate_sign) for edge in matched)
    plus, minus = Sign.PLUS, Sign.MINUS
    known = (found[plus, plus], found[plus, minus], found[minus, plus], found[minus, minus])
    return SignTable(*known, len(matched) - sum(known))


def _delays(
    comparison: Comparison, reference: CausalGraph, candidate: CausalGraph
) -> tuple[DelayTable, dict[tuple[str, str], bool]]:
    ours, theirs = ({edge.pair for edge in graph.edges if edge.delay} for graph in (reference, candidate))
    matched = [edge.pair for edge in comparison.edges if edge.outcome is ElementOutcome.MATCHED]
    found = Counter((pair in ours, pair in theirs) for pair in matched)
    table = DelayTable(found[True, True], found[True, False], found[False, True], found[False, False])
    return table, {pair: pair in ours for pair in matched if (pair in ours) is not (pair in theirs)}


def _loop_counts(
    reference: CausalGraph, candidate: CausalGraph, most: int, is_over: Callable[[], bool]
) -> tuple[LoopCounts, LoopKinds]:
    both = [find_loops(graph, most=most, is_over=is_over) for graph in (reference, candidate)]
    ours, theirs = ({_turned(loop.nodes): loop.kind for loop in found.loops} for found in both)
    common = ours.keys() & theirs.keys()
    counts = LoopCounts(
        len(common), len(ours) - len(common), len(theirs) - len(common), int(any(found.is_capped for found in both))
    )
    kinds = ("R", "B", None)
    in_both = [sum(ours[loop] == theirs[loop] == kind for loop in common) for kind in kinds]
    in_each = [sum(kind == each for each in (*ours.values(), *theirs.values())) for kind in kinds]
    return counts, LoopKinds(*in_both, *(each - shared for each, shared in zip(in_each, in_both, strict=True)))


def _turned(nodes: tuple[str, ...]) -> tuple[str, ...]:
    """The loop from its first name by letter on, so that one loop is one tuple."""
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
