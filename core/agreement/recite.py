"""Tables 20 and 21 of the ReCITE paper as printed, to check Edgewise's tables and compare a study's own.

Source: "Can Large Language Models Infer Causal Relationships from Real-World Text?", appendix I, "Inter-Annotator
Agreement Details": 37 randomly chosen diagrams transcribed by a second annotator. Facts only; nothing is corrected."""

from __future__ import annotations

from dataclasses import dataclass

from core.agreement.counts import Element, GraphCounts, Measure
from core.agreement.over_graphs import over_graphs

COLUMNS = ("nodes", "edges", "node_fp", "node_fn", "edge_fp", "edge_fn")

# Article, # nodes, # edges, node FP, node FN, edge FP, edge FN.
ROWS = (
    (645, 20, 24, 0, 0, 0, 0),
    (630, 25, 32, 0, 0, 0, 2),
    (617, 27, 23, 0, 0, 0, 0),
    (588, 10, 16, 0, 0, 0, 0),
    (574, 19, 32, 0, 0, 0, 0),
    (566, 24, 23, 1, 0, 0, 1),
    (558, 21, 24, 0, 0, 0, 0),
    (552, 16, 15, 0, 0, 0, 0),
    (536, 37, 23, 0, 0, 0, 0),
    (497, 15, 20, 0, 0, 1, 0),
    (491, 12, 21, 0, 0, 0, 1),
    (486, 28, 32, 0, 0, 0, 0),
    (481, 20, 28, 0, 0, 0, 0),
    (458, 18, 24, 0, 0, 0, 0),
    (449, 43, 88, 0, 0, 0, 0),
    (440, 12, 15, 1, 0, 0, 0),
    (435, 26, 27, 0, 0, 2, 5),
    (410, 9, 16, 0, 0, 0, 0),
    (393, 10, 14, 0, 0, 0, 0),
    (362, 11, 16, 0, 0, 0, 0),
    (306, 35, 28, 0, 0, 0, 0),
    (303, 9, 10, 0, 0, 0, 0),
    (642, 18, 23, 0, 0, 0, 0),
    (259, 19, 48, 2, 0, 1, 12),
    (235, 23, 26, 0, 0, 1, 1),
    (200, 16, 24, 0, 0, 0, 0),
    (156, 10, 13, 0, 0, 0, 0),
    (95, 26, 39, 0, 0, 0, 0),
    (90, 15, 19, 0, 0, 0, 0),
    (74, 13, 22, 0, 0, 0, 0),
    (59, 10, 14, 0, 0, 0, 0),
    (43, 15, 17, 0, 0, 0, 0),
    (42, 14, 20, 0, 0, 0, 0),
    (589, 12, 16, 0, 0, 0, 0),
    (188, 12, 17, 0, 0, 0, 0),
    (168, 15, 19, 0, 0, 1, 0),
    (163, 9, 11, 0, 0, 0, 0),
)

PRINTED_TOTAL = dict(zip(COLUMNS, (674, 879, 4, 0, 5, 22), strict=True))  # the last row of table 21 as printed

# Edge counts and figures in the text of the appendix.
PRINTED_POOLED = {"tp": 857, "fp": 5, "fn": 22, "precision": 0.994, "recall": 0.975, "f1": 0.984, "shd": 27}

# Mean and population standard deviation over graphs, with the digits printed; kappa is printed for edges only.
PRINTED_TABLE_20 = {
    (Element.NODES, Measure.PRECISION): ("0.9943", "0.0204"),
    (Element.NODES, Measure.RECALL): ("1.0000", "0.0000"),
    (Element.NODES, Measure.F1): ("0.9970", "0.0106"),
    (Element.NODES, Measure.SHD): ("0.1081", "0.3879"),
    (Element.NODES, Measure.NORMALISED_SHD): ("0.0062", "0.0223"),
    (Element.EDGES, Measure.PRECISION): ("0.993", "0.0182"),
    (Element.EDGES, Measure.RECALL): ("0.9830", "0.0509"),
    (Element.EDGES, Measure.F1): ("0.9876", "0.0335"),
    (Element.EDGES, Measure.SHD): ("0.7568", "2.3756"),
    (Element.EDGES, Measure.NORMALISED_SHD): ("0.0233", "0.0614"),
    (Element.EDGES, Measure.KAPPA): ("0.9865", "0.0367"),
    (Element.COMBINED, Measure.PRECISION): ("0.9939", "0.0134"),
    (Element.COMBINED, Measure.RECALL): ("0.9897", "0.0329"),
    (Element.COMBINED, Measure.F1): ("0.9916", "0.0224"),
    (Element.COMBINED, Measure.SHD): ("0.8649", "2.6627"),
    (Element.COMBINED, Measure.NORMALISED_SHD): ("0.0162", "0.0424"),
}


def graphs() -> list[GraphCounts]:
    return [GraphCounts.of_row(str(article), **dict(zip(COLUMNS, row, strict=True))) for article, *row in ROWS]


@dataclass(frozen=True, slots=True)
class PublishedError:
    """A printed figure that does not follow from the paper's own rows."""

    what: str
    printed: str
    from_rows: str
    why: str


def published_errors() -> tuple[PublishedError, ...]:
    """Return the totals and figures of the text that do not follow from the rows of table 21, with the computed values.

    >>> [(error.printed, error.from_rows) for error in published_errors()][:2]
    [('5', '6'), ('27', '28')]
    """
    rows = graphs()
    by_measure = {m: over_graphs(rows, Element.EDGES, m) for m in (Measure.PRECISION, Measure.SHD, Measure.KAPPA)}
    edges = [row.edges for row in rows]
    false = [row.figure for row in rows for _ in range(row.edges.fp)]
    kappa, shd = by_measure[Measure.KAPPA], by_measure[Measure.SHD]
    spurious = sum(row.nodes.fp for row in rows)
    return (
        PublishedError(
            "edge FP, total",
            str(PRINTED_TOTAL["edge_fp"]),
            str(sum(each.fp for each in edges)),
            f"rows {', '.join(dict.fromkeys(false))}, one of them twice; the means of table 20 use the rows",
        ),
        PublishedError(
            "SHD of edges",
            str(PRINTED_POOLED["shd"]),
            str(sum(each.shd for each in edges)),
            f"{_of(shd.mean.value)}, the printed mean, is {sum(each.shd for each in edges)} / {len(rows)}",
        ),
        PublishedError(
            "precision of edges, pooled",
            str(PRINTED_POOLED["precision"]),
            _of(by_measure[Measure.PRECISION].pooled.value),
            "the printed value needs 5 FP",
        ),
        PublishedError(
            "κ",
            "0.987 and 0.99",
            f"{_of(kappa.mean.value)} and {_of(kappa.pooled.value)}",
            f"mean over graphs and pooled over {kappa.pooled.n:,} ordered pairs; the paper does not say which",
        ),
        PublishedError(
            "spurious nodes", "0", str(spurious), "its table counts minor differences of names as false positives"
        ),
    )


def _of(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
