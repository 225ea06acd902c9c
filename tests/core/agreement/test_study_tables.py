"""Tables of a study: the paper's rows give the paper's tables, groups are stated, and what is worst comes first."""

from __future__ import annotations

import pytest

from core.agreement.counts import Element, GraphCounts, Measure
from core.agreement.over_graphs import TABLE_20, over_graphs
from core.agreement.recite import PRINTED_TABLE_20, ROWS, graphs
from core.agreement.study_tables import (
    MORE,
    OF_GROUPS,
    AgreementTable,
    DoubleTranscription,
    counts_table,
    grid,
    size_bin,
    worst_first,
)
from core.scoring.interval import Resampling

PAPER = [DoubleTranscription("A1", "A10" if place % 3 else "A2", counts) for place, counts in enumerate(graphs())]


def test_table_20_of_the_papers_rows_prints_the_papers_cells() -> None:
    found = grid(AgreementTable.TABLE_20, PAPER, None)
    assert [line.head for line in found.lines] == ["nodes", "edges", "nodes and edges"]
    for line, element in zip(found.lines, Element, strict=True):
        assert line.figures == tuple(range(37))
        for cell, measure in zip(line.cells, TABLE_20, strict=True):
            assert (cell.element, cell.measure) == (element, measure)
            printed = PRINTED_TABLE_20.get((element, measure))
            assert (cell.mean.value is None) == (printed is None)
            if printed is not None and cell.mean.value is not None:
                digits = len(printed[0].partition(".")[2])
                assert f"{cell.mean.value:.{digits}f}" == printed[0]


def test_table_21_has_a_line_a_figure_the_worst_first_and_the_total() -> None:
    lines = counts_table(PAPER)
    assert len(lines) == 38
    assert (lines[0].head, lines[0].cells) == ("259", (19, 48, 2, 0, 1, 12))
    assert lines[0].figure is not None and PAPER[lines[0].figure].counts.figure == "259"
    assert (lines[-1].head, lines[-1].figure, lines[-1].cells) == ("Total", None, (674, 879, 4, 0, 6, 22))
    assert sorted(line.cells for line in lines[:-1]) == sorted(row[1:] for row in ROWS)
    assert counts_table([])[-1].cells == (0,) * 6


def test_figures_without_a_value_come_last_and_equals_by_what_else_is_wrong() -> None:
    def row(name: str, **wrong: int) -> GraphCounts:
        right = {"nodes": 9, "edges": 9, "node_fp": 0, "node_fn": 0, "edge_fp": 0, "edge_fn": 0}
        return GraphCounts.of_row(name, **{**right, **wrong})

    rows = [row("right"), row("a name", node_fp=1), row("empty", edges=0), row("half", edge_fn=3)]
    assert [rows[place].figure for place in worst_first(rows)] == ["half", "a name", "right", "empty"]
    assert [rows[place].figure for place in worst_first(rows, Element.EDGES, Measure.SHD)] == [
        "half",
        "a name",
        "right",
        "empty",
    ]


def test_pairs_and_annotators_are_groups_whoever_was_first() -> None:
    turned = [*PAPER[:3], DoubleTranscription("A2", "A1", PAPER[3].counts)]
    pairs = grid(AgreementTable.PAIRS, turned, None)
    assert [(line.head, line.figures) for line in pairs.lines] == [("A1 and A10", (1, 2)), ("A1 and A2", (0, 3))]
    assert pairs.columns[0] == "F1 of nodes"
    annotators = grid(AgreementTable.ANNOTATORS, turned, None)
    assert [(line.head, line.figures) for line in annotators.lines] == [
        ("A1", (0, 1, 2, 3)),
        ("A2", (0, 3)),
        ("A10", (1, 2)),
    ]


def test_sizes_are_bins_of_the_references_nodes_in_order() -> None:
    found = grid(AgreementTable.SIZES, PAPER, None)
    assert [line.head for line in found.lines] == ["up to 10 nodes", "11–25 nodes", "over 25 nodes"]
    assert sum(len(line.figures) for line in found.lines) == 37
    for line in found.lines:
        assert {size_bin(PAPER[place].counts.nodes.reference) for place in line.figures} == {line.head}
        counts = [PAPER[place].counts for place in line.figures]
        assert line.cells == tuple(over_graphs(counts, *pair) for pair in OF_GROUPS)


def test_further_measures_stand_under_the_elements_they_are_of() -> None:
    found = grid(AgreementTable.MORE, PAPER, Resampling(1, draws=50))
    cells = {line.head: line.cells for line in found.lines}
    assert list(cells) == [measure.value for measure in MORE]
    nodes, edges, both = cells["Jaccard"]
    assert None not in (nodes.mean.low, edges.mean.low, both.pooled.high)
    nodes, edges, both = cells[Measure.AC1.value]
    assert (nodes.mean.value, both.pooled.value) == (None, None) and edges.pooled.value is not None
    assert {*TABLE_20, *MORE} == set(Measure)


@pytest.mark.parametrize("part", [part for part in AgreementTable if part is not AgreementTable.TABLE_21])
def test_without_figures_there_are_tables_without_values(part: AgreementTable) -> None:
    found = grid(part, [], Resampling(1))
    assert all(cell.mean.value is None for line in found.lines for cell in line.cells)
