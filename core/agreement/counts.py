"""What two transcriptions of one figure have in common, in counts that add up over graphs, and the measures of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce

from core.agreement.ratings import LEAST_UNITS
from core.errors import BadInput
from core.estimate import Estimate, ratio, undefined
from core.graphs.compare import PairTable, SetScore, cohen_kappa


class Element(StrEnum):
    NODES = "nodes"
    EDGES = "edges"
    COMBINED = "nodes and edges"


class Measure(StrEnum):
    """Each by a name that says its scale or denominator; from `KAPPA` on they are of edges only."""

    PRECISION = "precision"
    RECALL = "recall"
    F1 = "F1"
    SHD = "SHD (FP + FN)"
    NORMALISED_SHD = "SHD ÷ reference elements"
    JACCARD = "Jaccard"
    KAPPA = "Cohen's κ over ordered pairs"
    ALPHA = "Krippendorff's α (nominal) over ordered pairs"
    AC1 = "Gwet's AC1 over ordered pairs"
    RAW = "raw agreement over ordered pairs"
    SIGN_KAPPA = "Cohen's κ of signs on matched edges"
    LOOPS = "feedback loops in common ÷ in either"


@dataclass(frozen=True, slots=True)
class Counts:
    """Elements in both graphs, in the candidate only, in the reference only."""

    tp: int
    fp: int
    fn: int

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def reference(self) -> int:
        """Elements of the reference."""
        return self.tp + self.fn

    @property
    def shd(self) -> int:
        """FP + FN: a reversed edge is one of each."""
        return self.fp + self.fn


@dataclass(frozen=True, slots=True)
class SignTable:
    """Matched edges with a known sign in both graphs, reference first; `unknown` are the other matched edges."""

    both_plus: int = 0
    plus_minus: int = 0
    minus_plus: int = 0
    both_minus: int = 0
    unknown: int = 0

    def __add__(self, other: SignTable) -> SignTable:
        return SignTable(
            self.both_plus + other.both_plus, self.plus_minus + other.plus_minus, self.minus_plus + other.minus_plus,
            self.both_minus + other.both_minus, self.unknown + other.unknown,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class LoopCounts:
    """Feedback loops by the arrows they run along; `capped`: graphs in which not all were listed."""

    common: int = 0
    reference_only: int = 0
    candidate_only: int = 0
    capped: int = 0

    def __add__(self, other: LoopCounts) -> LoopCounts:
        return LoopCounts(
            self.common + other.common, self.reference_only + other.reference_only,
            self.candidate_only + other.candidate_only, self.capped + other.capped,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """One figure transcribed twice, or the total of several. `figure` is the caller's name for it."""

    figure: str
    nodes: Counts
    edges: Counts
    pairs: PairTable
    signs: SignTable = SignTable()
    loops: LoopCounts = LoopCounts()

    @classmethod
    def of_row(
        cls, figure: str, *, nodes: int, edges: int, node_fp: int, node_fn: int, edge_fp: int, edge_fn: int
    ) -> GraphCounts:
        """From a row of ReCITE's table 21: nodes and edges of the reference, and what the second annotator did.

        Its ordered pairs are those of the reference's nodes, and no edge is a self-loop. Signs and loops are not in
        such a row. Raises BadInput for counts that cannot be.

        >>> GraphCounts.of_row("491", nodes=12, edges=21, node_fp=0, node_fn=0, edge_fp=0, edge_fn=1).pairs
        PairTable(both=20, reference_only=1, candidate_only=0, neither=111)
        """
        neither = nodes * (nodes - 1) - edges - edge_fp
        if min(node_fp, node_fn, edge_fp, edge_fn, nodes - node_fn, edges - edge_fn, neither) < 0:
            raise BadInput(f"{figure}: {nodes} nodes and {edges} edges do not go with these mistakes; check the row.")
        both = edges - edge_fn
        return cls(
            figure, Counts(nodes - node_fn, node_fp, node_fn), Counts(both, edge_fp, edge_fn),
            PairTable(both, edge_fn, edge_fp, neither),
        )  # fmt: skip

    def of(self, element: Element) -> Counts:
        """The counts of nodes, of edges, or of both together."""
        if element is Element.COMBINED:
            return self.nodes + self.edges
        return self.nodes if element is Element.NODES else self.edges


def total(rows: Iterable[GraphCounts], name: str = "total") -> GraphCounts:
    """Counts of several figures added up, for pooled measures."""

    def added(one: GraphCounts, other: GraphCounts) -> GraphCounts:
        return GraphCounts(
            name, one.nodes + other.nodes, one.edges + other.edges, one.pairs + other.pairs,
            one.signs + other.signs, one.loops + other.loops,
        )  # fmt: skip

    return reduce(added, rows, GraphCounts(name, Counts(0, 0, 0), Counts(0, 0, 0), PairTable(0, 0, 0, 0)))


def measured(counts: GraphCounts, element: Element, measure: Measure) -> Estimate:
    """One measure of one figure, or of a total.

    Shares are 0–1, coefficients at most 1, SHD a count. Undefined where the denominator is 0, and for measures of
    pairs, signs or loops on anything but edges, because nobody can say how many things are *not* nodes (ReCITE,
    table 20).
    """
    if measure in _OF_EDGES:
        if element is not Element.EDGES:
            return undefined("it needs a known number of things that are absent, which only edges have")
        return _OF_EDGES[measure](counts)
    found = counts.of(element)
    score = SetScore.of(found.tp, found.fp, found.fn, element.value)
    return {
        Measure.PRECISION: score.precision,
        Measure.RECALL: score.recall,
        Measure.F1: score.f1,
        Measure.SHD: Estimate(found.shd),
        Measure.NORMALISED_SHD: ratio(found.shd, found.reference, f"the reference has no {element.value}"),
        Measure.JACCARD: ratio(found.tp, found.tp + found.shd, f"neither graph has {element.value}"),
    }[measure]


def _kappa(counts: GraphCounts) -> Estimate:
    return cohen_kappa(counts.pairs)


def _alpha(counts: GraphCounts) -> Estimate:
    """Krippendorff's alpha of two raters and two values, in whole numbers up to the last division."""
    n, drawn, absent = _pairs(counts)
    if drawn == 0 or absent == 0:
        return cohen_kappa(counts.pairs)  # undefined for the same reasons: no pairs, no edge, or every edge
    differing = counts.pairs.reference_only + counts.pairs.candidate_only
    return Estimate(1 - (2 * n - 1) * differing / (drawn * absent), n=n)


def _ac1(counts: GraphCounts) -> Estimate:
    """Gwet's AC1 of two raters and two values; defined also where no pair has an edge."""
    n, drawn, absent = _pairs(counts)
    if n == 0:
        return cohen_kappa(counts.pairs)
    by_chance = drawn * absent / (2 * n * n)
    agreeing = (counts.pairs.both + counts.pairs.neither) / n
    return Estimate((agreeing - by_chance) / (1 - by_chance), n=n)


def _raw(counts: GraphCounts) -> Estimate:
    n = _pairs(counts)[0]
    return Estimate((counts.pairs.both + counts.pairs.neither) / n, n=n) if n else cohen_kappa(counts.pairs)


def _pairs(counts: GraphCounts) -> tuple[int, int, int]:
    """Ordered pairs, and of the twice as many decisions about them those for an edge and those for none."""
    a, b, c, d = (counts.pairs.both, counts.pairs.reference_only, counts.pairs.candidate_only, counts.pairs.neither)
    return a + b + c + d, 2 * a + b + c, 2 * d + b + c


def _sign_kappa(counts: GraphCounts) -> Estimate:
    table = counts.signs
    a, b, c, d = table.both_plus, table.plus_minus, table.minus_plus, table.both_minus
    n = a + b + c + d
    if n < LEAST_UNITS:
        what = {0: "no matched edge has", 1: "only one matched edge has"}.get(n, f"only {n} matched edges have")
        return undefined(f"{what} a known sign in both graphs, and {LEAST_UNITS} are needed", n)
    for who, plus, minus in (("reference", a + b, c + d), ("candidate", a + c, b + d)):
        if plus == 0 or minus == 0:
            return undefined(f"the {who} has only {'+' if plus else '−'} on the matched edges", n)
    return cohen_kappa(PairTable(a, b, c, d))


def _loops(counts: GraphCounts) -> Estimate:
    loops = counts.loops
    if loops.capped:
        return undefined("there are more loops than could be listed")
    either = loops.common + loops.reference_only + loops.candidate_only
    return Estimate(loops.common / either, n=either) if either else undefined("neither graph has a loop", 0)


_OF_EDGES = {
    Measure.KAPPA: _kappa,
    Measure.ALPHA: _alpha,
    Measure.AC1: _ac1,
    Measure.RAW: _raw,
    Measure.SIGN_KAPPA: _sign_kappa,
    Measure.LOOPS: _loops,
}
