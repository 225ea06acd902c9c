"""Agreement in a study as tables: the paper's tables 20 and 21, further measures, and groups of figures. Every cell is
a measure over named figures (`OverGraphs`), which can be opened from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.agreement.counts import Element, GraphCounts, Measure, measured, total
from core.agreement.over_graphs import TABLE_20, OverGraphs, over_graphs
from core.scoring.interval import Resampling
from core.transcription.effort import MIDDLE, SMALL

# Maximum number of nodes of the reference in a small and in a middle figure, as in the figures of pace.
MOST_NODES = (SMALL[0], MIDDLE[0])


class AgreementTable(StrEnum):
    """The tables, by their names in links and files."""

    TABLE_20 = "table-20"
    TABLE_21 = "table-21"
    MORE = "more"
    PAIRS = "pairs"
    ANNOTATORS = "annotators"
    SIZES = "sizes"


@dataclass(frozen=True, slots=True)
class DoubleTranscription:
    """One figure transcribed twice: the first and the second annotator (pseudonyms), and the counts in one view."""

    first: str
    second: str
    counts: GraphCounts


@dataclass(frozen=True, slots=True)
class GridLine:
    """A line of a grid: its heading, its figures (places in the rows given), and one cell per column."""

    head: str
    figures: tuple[int, ...]
    cells: tuple[OverGraphs, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of measures. `corner` heads the first column; `columns` heads the cells."""

    part: AgreementTable
    title: str
    corner: str
    columns: tuple[str, ...]
    lines: tuple[GridLine, ...]


@dataclass(frozen=True, slots=True)
class CountLine:
    """A line of table 21: a figure, or the total; `figure` is its place in the rows given, None for the total."""

    head: str
    figure: int | None
    cells: tuple[int, ...]


# Measures shown in addition to table 20.
MORE = (
    Measure.JACCARD,
    Measure.SHD_ONCE,
    Measure.REVERSED,
    Measure.ALPHA,
    Measure.AC1,
    Measure.RAW,
    Measure.SIGN_KAPPA,
    Measure.DELAY_KAPPA,
    Measure.LOOPS,
    Measure.LOOP_KINDS,
    Measure.LOOPS_R,
    Measure.LOOPS_B,
    Measure.LOOPS_U,
    Measure.LABELS_EXACT,
    Measure.LABELS_TYPO,
    Measure.LABELS_MINOR,
)

OF_GROUPS = (
    (Element.NODES, Measure.F1),
    (Element.EDGES, Measure.PRECISION),
    (Element.EDGES, Measure.RECALL),
    (Element.EDGES, Measure.F1),
    (Element.EDGES, Measure.SHD),
    (Element.EDGES, Measure.NORMALISED_SHD),
    (Element.EDGES, Measure.KAPPA),
)

TABLE_21 = ("# nodes", "# edges", "node FP", "node FN", "edge FP", "edge FN")  # columns of ReCITE's table 21


def grid(part: AgreementTable, rows: Sequence[DoubleTranscription], how: Resampling | None) -> Grid:
    """Return one of the tables of measures over `rows`. Raises KeyError for `TABLE_21`, which counts
    (`counts_table`)."""
    return _GRIDS[part](rows, how)


def counts_table(rows: Sequence[DoubleTranscription]) -> tuple[CountLine, ...]:
    counts = [row.counts for row in rows]
    lines = [CountLine(counts[place].figure, place, _counted(counts[place])) for place in worst_first(counts)]
    return (*lines, CountLine("Total", None, _counted(total(counts))))


def worst_first(
    rows: Sequence[GraphCounts], element: Element = Element.EDGES, measure: Measure = Measure.F1
) -> tuple[int, ...]:
    """Return the places of `rows`, least agreement first, those without a value last; ties by the other errors."""

    def key(place: int) -> tuple[bool, float, int]:
        value = measured(rows[place], element, measure).value
        worse = 0.0 if value is None else -value if is_distance(measure) else value
        return value is None, worse, -rows[place].of(Element.COMBINED).shd

    return tuple(sorted(range(len(rows)), key=key))


def is_distance(measure: Measure) -> bool:
    return measure in (Measure.SHD, Measure.NORMALISED_SHD, Measure.SHD_ONCE, Measure.REVERSED)


def size_bin(nodes: int) -> str:
    """
    >>> size_bin(10), size_bin(11), size_bin(26)
    ('up to 10 nodes', '11–25 nodes', 'over 25 nodes')
    """
    small, middle = MOST_NODES
    if nodes <= small:
        return f"up to {small} nodes"
    return f"{small + 1}–{middle} nodes" if nodes <= middle else f"over {middle} nodes"


def _counted(counts: GraphCounts) -> tuple[int, ...]:
    nodes, edges = counts.nodes, counts.edges
    return nodes.reference, edges.reference, nodes.fp, nodes.fn, edges.fp, edges.fn


def _everything(rows: Sequence[DoubleTranscription]) -> tuple[int, ...]:
    return tuple(range(len(rows)))


def _table_20(rows: Sequence[DoubleTranscription], how: Resampling | None) -> Grid:
    counts = [row.counts for row in rows]
    lines = (
        GridLine(element.value, _everything(rows), tuple(over_graphs(counts, element, m, how) for m in TABLE_20))
        for element in Element
    )
    columns = tuple(measure.value for measure in TABLE_20)
    return Grid(AgreementTable.TABLE_20, "Agreement over all figures", "elements", columns, tuple(lines))


def _more(rows: Sequence[DoubleTranscription], how: Resampling | None) -> Grid:
    counts = [row.counts for row in rows]
    lines = (
        GridLine(measure.value, _everything(rows), tuple(over_graphs(counts, e, measure, how) for e in Element))
        for measure in MORE
    )
    return Grid(
        AgreementTable.MORE, "Further measures", "measure", tuple(element.value for element in Element), tuple(lines)
    )


def _by_pair(rows: Sequence[DoubleTranscription], how: Resampling | None) -> Grid:
    groups = _grouped(rows, lambda row: [" and ".join(sorted((row.first, row.second), key=_by_number))])
    return _of_groups(AgreementTable.PAIRS, "By pair of annotators", "pair", sorted(groups.items()), rows, how)


def _by_annotator(rows: Sequence[DoubleTranscription], how: Resampling | None) -> Grid:
    groups = _grouped(rows, lambda row: sorted({row.first, row.second}))
    ordered = sorted(groups.items(), key=lambda group: _by_number(group[0]))
    return _of_groups(AgreementTable.ANNOTATORS, "By annotator, as first or second", "annotator", ordered, rows, how)


def _by_size(rows: Sequence[DoubleTranscription], how: Resampling | None) -> Grid:
    groups = _grouped(rows, lambda row: [size_bin(row.counts.nodes.reference)])
    order = [size_bin(nodes) for nodes in (0, MOST_NODES[0] + 1, MOST_NODES[1] + 1)]
    ordered = [(head, groups[head]) for head in order if head in groups]
    return _of_groups(
        AgreementTable.SIZES, "By size of the figure (nodes of the reference)", "size", ordered, rows, how
    )


def _by_number(pseudonym: str) -> tuple[int, str]:
    return len(pseudonym), pseudonym


def _grouped(
    rows: Sequence[DoubleTranscription], heads: Callable[[DoubleTranscription], Iterable[str]]
) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        for head in heads(row):
            groups.setdefault(head, []).append(place)
    return groups


def _of_groups(
    part: AgreementTable,
    title: str,
    corner: str,
    groups: Iterable[tuple[str, list[int]]],
    rows: Sequence[DoubleTranscription],
    how: Resampling | None,
) -> Grid:
    lines = []
    for head, places in groups:
        counts = [rows[place].counts for place in places]
        cells = tuple(over_graphs(counts, element, measure, how) for element, measure in OF_GROUPS)
        lines.append(GridLine(head, tuple(places), cells))
    columns = tuple(f"{measure.value} of {element.value}" for element, measure in OF_GROUPS)
    return Grid(part, title, corner, columns, tuple(lines))


_GRIDS: dict[AgreementTable, Callable[[Sequence[DoubleTranscription], Resampling | None], Grid]] = {
    AgreementTable.TABLE_20: _table_20,
    AgreementTable.MORE: _more,
    AgreementTable.PAIRS: _by_pair,
    AgreementTable.ANNOTATORS: _by_annotator,
    AgreementTable.SIZES: _by_size,
}
