"""Two transcriptions of one figure as counts that add up over figures, and all measures of them by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import reduce

from core.agreement.ratings import LEAST_UNITS
from core.agreement.tallies import Counts, DelayTable, LoopCounts, LoopKinds, NameTable, SignTable
from core.errors import BadInput
from core.estimate import Estimate, ratio, undefined
from core.graphs.compare import PairTable, SetScore, cohen_kappa


class Element(StrEnum):
    NODES = "nodes"
    EDGES = "edges"
    COMBINED = "nodes and edges"


class Measure(StrEnum):
    """Measures, named by scale or denominator. From `SHD_ONCE` on they are of edges only, from `LABELS_EXACT` on of
    nodes only."""

    PRECISION = "precision"
    RECALL = "recall"
    F1 = "F1"
    SHD = "SHD (FP + FN)"
    NORMALISED_SHD = "SHD ÷ reference elements"
    JACCARD = "Jaccard"
    SHD_ONCE = "SHD, a reversal once"
    REVERSED = "reversed edges"
    KAPPA = "Cohen's κ over ordered pairs"
    ALPHA = "Krippendorff's α (nominal) over ordered pairs"
    AC1 = "Gwet's AC1 over ordered pairs"
    RAW = "raw agreement over ordered pairs"
    SIGN_KAPPA = "Cohen's κ of signs on matched edges"
    DELAY_KAPPA = "Cohen's κ of delay marks on matched edges"
    LOOPS = "feedback loops in common ÷ in either"
    LOOP_KINDS = "loops of the same kind (R, B, undetermined) ÷ loops in common"
    LOOPS_R = "reinforcing loops in common ÷ in either"
    LOOPS_B = "balancing loops in common ÷ in either"
    LOOPS_U = "undetermined loops in common ÷ in either"
    LABELS_EXACT = "labels identical ÷ names aligned"
    LABELS_TYPO = "labels identical except typos ÷ names aligned"
    LABELS_MINOR = "labels identical except typos and minor differences ÷ names aligned"


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphCounts:
    """One figure transcribed twice, or the total of several."""

    figure: str  # the caller's name for it
    nodes: Counts
    edges: Counts
    pairs: PairTable
    signs: SignTable = field(default_factory=SignTable)
    loops: LoopCounts = field(default_factory=LoopCounts)
    delays: DelayTable = field(default_factory=DelayTable)
    kinds: LoopKinds = field(default_factory=LoopKinds)
    names: NameTable = field(default_factory=NameTable)
    # edges reversed in the candidate; each is also one FP and one FN, so missing edges are `fn` − `reversed`
    reversed: int = 0

    @classmethod
    def of_row(
        cls, figure: str, *, nodes: int, edges: int, node_fp: int, node_fn: int, edge_fp: int, edge_fn: int
    ) -> GraphCounts:
        """Return the counts of a row of ReCITE's table 21: nodes and edges of the reference, and the second annotator's
        errors.

        Its ordered pairs are those of the reference's nodes, and no edge is a self-loop. Such a row has no signs,
        loops, names or reversals. Raises BadInput for impossible counts.

        >>> GraphCounts.of_row("491", nodes=12, edges=21, node_fp=0, node_fn=0, edge_fp=0, edge_fn=1).pairs
        PairTable(both=20, reference_only=1, candidate_only=0, neither=111)
        """
        neither = nodes * (nodes - 1) - edges - edge_fp
        if min(node_fp, node_fn, edge_fp, edge_fn, nodes - node_fn, edges - edge_fn, neither) < 0:
            raise BadInput(f"{figure}: {nodes} nodes and {edges} edges do not match these errors; check the row.")
        both = edges - edge_fn
        return cls(
            figure=figure,
            nodes=Counts(nodes - node_fn, node_fp, node_fn),
            edges=Counts(both, edge_fp, edge_fn),
            pairs=PairTable(both, edge_fn, edge_fp, neither),
        )

    def of(self, element: Element) -> Counts:
        if element is Element.COMBINED:
            return self.nodes + self.edges
        return self.nodes if element is Element.NODES else self.edges


def total(rows: Iterable[GraphCounts], name: str = "total") -> GraphCounts:
    """Add up the counts of several figures, for pooled measures."""

    def added(one: GraphCounts, other: GraphCounts) -> GraphCounts:
        return GraphCounts(
            figure=name,
            nodes=one.nodes + other.nodes,
            edges=one.edges + other.edges,
            pairs=one.pairs + other.pairs,
            signs=one.signs + other.signs,
            loops=one.loops + other.loops,
            delays=one.delays + other.delays,
            kinds=one.kinds + other.kinds,
            names=one.names + other.names,
            reversed=one.reversed + other.reversed,
        )

    return reduce(
        added, rows, GraphCounts(figure=name, nodes=Counts(0, 0, 0), edges=Counts(0, 0, 0), pairs=PairTable(0, 0, 0, 0))
    )


def measured(counts: GraphCounts, element: Element, measure: Measure) -> Estimate:
    """Return one measure of one figure, or of a total.

    Shares are 0–1, coefficients at most 1, SHD a count. Undefined where the denominator is 0, and for measures of
    pairs, signs or loops on anything but edges, because the number of things that are *not* nodes is unknown (ReCITE,
    table 20); measures of labels are of nodes."""
    if measure in _OF_NAMES:
        if element is not Element.NODES:
            return undefined("it is defined for the names of nodes")
        by_class = (counts.names.exact, counts.names.typo, counts.names.minor, counts.names.major)
        aligned, equal = sum(by_class), sum(by_class[: _OF_NAMES[measure]])
        return Estimate(equal / aligned, n=aligned) if aligned else undefined("no name is aligned with another", 0)
    if measure in _OF_EDGES:
        if element is not Element.EDGES:
            return undefined("it needs a known number of absent elements, which only edges have")
        return _OF_EDGES[measure](counts)
    element_counts = counts.of(element)
    score = SetScore.of(element_counts.tp, element_counts.fp, element_counts.fn, element.value)
    return {
        Measure.PRECISION: score.precision,
        Measure.RECALL: score.recall,
        Measure.F1: score.f1,
        Measure.SHD: Estimate(element_counts.shd),
        Measure.NORMALISED_SHD: ratio(
            element_counts.shd, element_counts.reference, f"the reference has no {element.value}"
        ),
        Measure.JACCARD: ratio(
            element_counts.tp, element_counts.tp + element_counts.shd, f"neither graph has {element.value}"
        ),
    }[measure]


def _alpha(counts: GraphCounts) -> Estimate:
    """Return Krippendorff's alpha of two raters and two values, in whole numbers up to the last division."""
    n, drawn, absent = _pairs(counts)
    if drawn == 0 or absent == 0:
        return cohen_kappa(counts.pairs)  # undefined for the same reasons: no pairs, no edge, or every edge
    differing = counts.pairs.reference_only + counts.pairs.candidate_only
    return Estimate(1 - (2 * n - 1) * differing / (drawn * absent), n=n)


def _ac1(counts: GraphCounts) -> Estimate:
    """Return Gwet's AC1 of two raters and two values; defined also where no pair has an edge."""
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
    """Return the ordered pairs, and of the two decisions about each of them those for an edge and those for none."""
    a, b, c, d = (counts.pairs.both, counts.pairs.reference_only, counts.pairs.candidate_only, counts.pairs.neither)
    return a + b + c + d, 2 * a + b + c, 2 * d + b + c


def _sign_kappa(counts: GraphCounts) -> Estimate:
    table = counts.signs
    a, b, c, d = table.both_plus, table.plus_minus, table.minus_plus, table.both_minus
    n = a + b + c + d
    if n < LEAST_UNITS:
        what = {0: "no matched edge has", 1: "only one matched edge has"}.get(n, f"only {n} matched edges have")
        return undefined(f"{what} a known sign in both graphs, and {LEAST_UNITS} are needed", n)
    for who, plus, minus in (("reference", a + b, c + d), ("other graph", a + c, b + d)):
        if plus == 0 or minus == 0:
            return undefined(f"the {who} has only {'+' if plus else '−'} on the matched edges", n)
    return cohen_kappa(PairTable(a, b, c, d))


def _delay_kappa(counts: GraphCounts) -> Estimate:
    table = counts.delays
    a, b, c, d = table.both, table.reference_only, table.candidate_only, table.neither
    n = a + b + c + d
    if n < LEAST_UNITS:
        what = {0: "no edge is matched", 1: "only one edge is matched"}.get(n, f"only {n} edges are matched")
        return undefined(f"{what}, and {LEAST_UNITS} are needed", n)
    for who, marked, plain in (("reference", a + b, c + d), ("other graph", a + c, b + d)):
        if marked == 0 or plain == 0:
            return undefined(f"the {who} marks {'every' if marked else 'no'} matched edge as delayed", n)
    return cohen_kappa(PairTable(a, b, c, d))


_MORE_LOOPS = "there are more loops than could be listed"


def _loops(counts: GraphCounts) -> Estimate:
    loops = counts.loops
    if loops.capped:
        return undefined(_MORE_LOOPS)
    either = loops.common + loops.reference_only + loops.candidate_only
    return Estimate(loops.common / either, n=either) if either else undefined("neither graph has a loop", 0)


def _loop_kinds(counts: GraphCounts) -> Estimate:
    kinds, common = counts.kinds, counts.loops.common
    if counts.loops.capped:
        return undefined(_MORE_LOOPS)
    same = kinds.both_r + kinds.both_b + kinds.both_u
    return Estimate(same / common, n=common) if common else undefined("the graphs have no loop in common", 0)


def _loops_of(kind: str, word: str) -> Callable[[GraphCounts], Estimate]:
    def overlap(counts: GraphCounts) -> Estimate:
        both, either = (getattr(counts.kinds, f"{which}_{kind}") for which in ("both", "either"))
        if counts.loops.capped:
            return undefined(_MORE_LOOPS)
        return Estimate(both / either, n=either) if either else undefined(f"neither graph has a {word} loop", 0)

    return overlap


_OF_NAMES = {Measure.LABELS_EXACT: 1, Measure.LABELS_TYPO: 2, Measure.LABELS_MINOR: 3}
_OF_EDGES: dict[Measure, Callable[[GraphCounts], Estimate]] = {
    Measure.SHD_ONCE: lambda counts: Estimate(counts.edges.shd - counts.reversed),
    Measure.REVERSED: lambda counts: Estimate(counts.reversed),
    Measure.KAPPA: lambda counts: cohen_kappa(counts.pairs),
    Measure.ALPHA: _alpha,
    Measure.AC1: _ac1,
    Measure.RAW: _raw,
    Measure.SIGN_KAPPA: _sign_kappa,
    Measure.DELAY_KAPPA: _delay_kappa,
    Measure.LOOPS: _loops,
    Measure.LOOP_KINDS: _loop_kinds,
    Measure.LOOPS_R: _loops_of("r", "reinforcing"),
    Measure.LOOPS_B: _loops_of("b", "balancing"),
    Measure.LOOPS_U: _loops_of("u", "undetermined"),
}
