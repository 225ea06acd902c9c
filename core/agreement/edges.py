"""How far two transcriptions of one figure agree, as the paper counts it and with names aligned, in one go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations

import numpy as np

from core.agreement.counts import Counts, GraphCounts, LoopCounts, SignTable
from core.agreement.ratings import Ratings
from core.graphs.alignment import OWN, NameClass, align_names, pairs_of
from core.graphs.circuits import never
from core.graphs.compare import Comparison, Outcome, compare, renamed
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

    `comparison` is of the aligned graphs, element by element. `counts` are of both views; they differ in nodes only.
    """

    comparison: Comparison
    alignments: Mapping[NameClass, int]
    counts: Mapping[View, GraphCounts]


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
    classes: Counter[NameClass] = Counter()
    for pair in aligned:
        if pair.kind == "same after folding":
            classes[NameClass.TYPO] += 1
        elif pair.kind in ("decided", "decided new"):
            classes[ruled[pair.name].kind] += 1
    name_of = pairs_of(aligned)
    comparison = compare(reference, candidate, name_of)
    loops = _loop_counts(reference, renamed(candidate, _named(candidate, name_of)), most_loops, is_over)
    costs = {View.PRINTED: classes[NameClass.MINOR] + classes[NameClass.MAJOR], View.ALIGNED: classes[NameClass.MAJOR]}
    counts = {view: _counts(figure, comparison, cost, loops) for view, cost in costs.items()}
    return GraphAgreement(comparison, {kind: classes[kind] for kind in NameClass}, counts)


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


def _counts(figure: str, comparison: Comparison, cost: int, loops: LoopCounts) -> GraphCounts:
    node, edge = comparison.node, comparison.edge
    return GraphCounts(
        figure, Counts(node.tp, node.fp + cost, node.fn), Counts(edge.tp, edge.fp, edge.fn),
        comparison.pairs, _sign_table(comparison), loops,
    )  # fmt: skip


def _sign_table(comparison: Comparison) -> SignTable:
    matched = [edge for edge in comparison.edges if edge.outcome is Outcome.MATCHED]
    found = Counter((edge.reference_sign, edge.candidate_sign) for edge in matched)
    plus, minus = Sign.PLUS, Sign.MINUS
    known = (found[plus, plus], found[plus, minus], found[minus, plus], found[minus, minus])
    return SignTable(*known, len(matched) - sum(known))


def _loop_counts(reference: CausalGraph, candidate: CausalGraph, most: int, is_over: Callable[[], bool]) -> LoopCounts:
    ours, theirs = (find_loops(graph, most=most, is_over=is_over) for graph in (reference, candidate))
    gold, found = ({_turned(loop.nodes) for loop in loops.loops} for loops in (ours, theirs))
    common = len(gold & found)
    is_capped = ours.is_capped or theirs.is_capped
    return LoopCounts(common, len(gold) - common, len(found) - common, int(is_capped))


def _turned(nodes: tuple[str, ...]) -> tuple[str, ...]:
    """The loop from its first name by letter on, so that one loop is one tuple."""
    start = nodes.index(min(nodes))
    return nodes[start:] + nodes[:start]
