"""Disagreements of two transcriptions of one figure, element by element: the list behind the measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.adjudication.differences import DifferenceKind
from core.agreement.counts import Element, Measure
from core.agreement.edges import GraphAgreement
from core.graphs.alignment import NameClass
from core.graphs.compare import ElementOutcome
from core.sign import Sign

ABSENT = "–"
DRAWN = "drawn"
OPEN = "?"
FORTH, BACK = "→", "←"
_SIGNS: Mapping[Sign | None, str] = {None: OPEN, Sign.PLUS: "+", Sign.MINUS: "−"}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One element in which the two differ, by aligned names; `sink` is "" for a variable or a name."""

    kind: DifferenceKind
    source: str
    sink: str
    first: str  # the two versions, each in a word
    second: str
    name_class: NameClass | None = None  # of a difference of names


_NODES = frozenset({DifferenceKind.NAME, DifferenceKind.NODE})
_EDGES = frozenset({DifferenceKind.EDGE, DifferenceKind.REVERSED})
_BEHIND: Mapping[Measure, frozenset[DifferenceKind]] = {
    Measure.REVERSED: frozenset({DifferenceKind.REVERSED}),
    Measure.SIGN_KAPPA: frozenset({DifferenceKind.SIGN}),
    Measure.DELAY_KAPPA: frozenset({DifferenceKind.DELAY}),
    Measure.LOOP_KINDS: frozenset({DifferenceKind.SIGN}),
    Measure.LOOPS_R: _EDGES | {DifferenceKind.SIGN},
    Measure.LOOPS_B: _EDGES | {DifferenceKind.SIGN},
    Measure.LOOPS_U: _EDGES | {DifferenceKind.SIGN},
    Measure.LABELS_EXACT: frozenset({DifferenceKind.NAME}),
    Measure.LABELS_TYPO: frozenset({DifferenceKind.NAME}),
    Measure.LABELS_MINOR: frozenset({DifferenceKind.NAME}),
}


def kinds_behind(element: Element, measure: Measure) -> frozenset[DifferenceKind]:
    """Return the kinds of disagreement that lower this measure of this element."""
    if measure in _BEHIND:
        return _BEHIND[measure]
    return {Element.NODES: _NODES, Element.EDGES: _EDGES, Element.COMBINED: _NODES | _EDGES}[element]


def disagreements(agreement: GraphAgreement) -> tuple[Disagreement, ...]:
    """Return names that differ, then variables, edges, signs and delays that only one has so; the first is the
    reference.

    Variables and edges number as the counts do: FN + FP, a reversed edge once where the counts have one of each. A name
    that differs by a typo is listed too, though it costs nothing.

    >>> from core.agreement.edges import agreement
    >>> from core.graphs.edge import Edge
    >>> from core.graphs.graph import CausalGraph
    >>> graphs = CausalGraph.of([Edge("A", "B")]), CausalGraph.of([Edge("B", "A"), Edge("B", "C")])
    >>> [(each.kind.value, each.source, each.sink) for each in disagreements(agreement("F", *graphs))]
    [('variable', 'C', ''), ('direction', 'A', 'B'), ('arrow', 'B', 'C')]
    """
    names = (
        Disagreement(DifferenceKind.NAME, pair.reference, "", pair.reference, pair.name, kind)
        for pair, kind in agreement.names
        if kind is not None and pair.reference is not None
    )
    variables = (
        Disagreement(DifferenceKind.NODE, node.name, "", *((DRAWN, ABSENT) if is_first else (ABSENT, DRAWN)))
        for node in agreement.comparison.nodes
        if node.outcome is not ElementOutcome.MATCHED
        for is_first in [node.outcome is ElementOutcome.MISSED]
    )
    return (*names, *variables, *_arrows(agreement))


def _arrows(agreement: GraphAgreement) -> Iterator[Disagreement]:
    for edge in agreement.comparison.edges:
        source, sink = edge.pair
        if edge.outcome is ElementOutcome.MISSED and edge.is_turned:
            yield Disagreement(DifferenceKind.REVERSED, source, sink, FORTH, BACK)
        elif edge.outcome is ElementOutcome.MISSED:
            yield Disagreement(DifferenceKind.EDGE, source, sink, DRAWN, ABSENT)
        elif edge.outcome is ElementOutcome.SPURIOUS:
            yield Disagreement(DifferenceKind.EDGE, source, sink, ABSENT, DRAWN)
        elif edge.outcome is ElementOutcome.MATCHED:
            if edge.reference_sign is not edge.candidate_sign:
                signs = _SIGNS[edge.reference_sign], _SIGNS[edge.candidate_sign]
                yield Disagreement(DifferenceKind.SIGN, source, sink, *signs)
            if edge.pair in agreement.delays:
                marked = ("delay", ABSENT) if agreement.delays[edge.pair] else (ABSENT, "delay")
                yield Disagreement(DifferenceKind.DELAY, source, sink, *marked)
