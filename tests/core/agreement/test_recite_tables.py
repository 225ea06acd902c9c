"""The paper's agreement tables from its own rows, and where its totals do not add up (printed, see with `-s`)."""

from __future__ import annotations

import re

import pytest

from core.agreement.counts import Element, GraphCounts, Measure, measured, total
from core.agreement.over_graphs import TABLE_20, over_graphs, table_20
from core.agreement.recite import (
    COLUMNS,
    PRINTED_POOLED,
    PRINTED_TABLE_20,
    PRINTED_TOTAL,
    ROWS,
    graphs,
    published_errors,
)
from core.agreement.tallies import Counts


def test_there_are_37_rows_each_of_another_article() -> None:
    assert len(ROWS) == len({article for article, *_rest in ROWS}) == 37
    assert len(PRINTED_TABLE_20) == 16


@pytest.mark.parametrize(("cell", "printed"), PRINTED_TABLE_20.items(), ids=lambda part: " ".join(part))
def test_every_pair_of_table_20_follows_from_the_rows_of_table_21(
    cell: tuple[Element, Measure], printed: tuple[str, str]
) -> None:
    found = over_graphs(graphs(), *cell)
    for ours, theirs in zip((found.mean, found.sd), printed, strict=True):
        assert ours.value is not None
        digits = len(theirs.partition(".")[2])
        assert f"{ours.value:.{digits}f}" == theirs
    assert (found.mean.n, found.undefined) == (37, {})


def test_table_20_has_the_papers_cells_and_kappa_of_edges_only() -> None:
    found = table_20(graphs())
    assert [(cell.element, cell.measure) for cell in found] == [(e, m) for e in Element for m in TABLE_20]
    without = {(cell.element, cell.measure) for cell in found if cell.mean.value is None}
    assert without == {(Element.NODES, Measure.KAPPA), (Element.COMBINED, Measure.KAPPA)}
    assert {(cell.element, cell.measure) for cell in found} - without == set(PRINTED_TABLE_20)


def test_the_pooled_figures_of_the_text_follow_from_its_totals() -> None:
    tp, fp, fn = (int(PRINTED_POOLED[name]) for name in ("tp", "fp", "fn"))
    rows = total(graphs())
    printed = GraphCounts(figure="as printed", nodes=rows.nodes, edges=Counts(tp, fp, fn), pairs=rows.pairs)
    for measure, name in ((Measure.PRECISION, "precision"), (Measure.RECALL, "recall"), (Measure.F1, "f1")):
        value = measured(printed, Element.EDGES, measure).value
        assert value is not None
        assert round(value, 3) == PRINTED_POOLED[name]
    assert measured(printed, Element.EDGES, Measure.SHD).value == PRINTED_POOLED["shd"]


def test_our_pooled_figures_are_of_the_rows() -> None:
    pooled = {m: over_graphs(graphs(), Element.EDGES, m).pooled.value for m in (*TABLE_20, Measure.JACCARD)}
    # The rows: 857 TP, 6 FP, 22 FN.
    assert pooled[Measure.PRECISION] == 857 / 863
    assert pooled[Measure.RECALL] == 857 / 879
    assert pooled[Measure.F1] == 2 * 857 / (2 * 857 + 28)
    assert pooled[Measure.SHD] == 28
    assert pooled[Measure.NORMALISED_SHD] == 28 / 879
    assert pooled[Measure.JACCARD] == 857 / 885


def test_where_the_papers_totals_do_not_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    row = total(graphs())
    sums = {name: sum(columns[place] for _article, *columns in ROWS) for place, name in enumerate(COLUMNS)}
    wrong = {name: (sums[name], PRINTED_TOTAL[name]) for name in COLUMNS if sums[name] != PRINTED_TOTAL[name]}
    assert wrong == {"edge_fp": (6, 5)}
    mean_shd = over_graphs(graphs(), Element.EDGES, Measure.SHD).mean.value
    assert mean_shd == pytest.approx(28 / 37)  # the printed 0.7568 needs 28, the text says 27

    macro, pooled = (getattr(over_graphs(graphs(), Element.EDGES, Measure.KAPPA), name) for name in ("mean", "pooled"))
    assert pooled.n == sum(nodes * (nodes - 1) for _article, nodes, *_rest in ROWS) == 14_092
    assert (round(macro.value, 4), round(pooled.value, 4)) == (0.9865, 0.9829)
    with capsys.disabled():
        print(
            "\nReCITE, tables 20 and 21: "
            f"edge FP sums to {sums['edge_fp']}, printed {PRINTED_TOTAL['edge_fp']}; "
            f"SHD of the rows is {row.edges.shd} (mean {mean_shd:.4f} over 37), printed {PRINTED_POOLED['shd']}; "
            f"κ {macro.value:.4f} is the mean over graphs, {pooled.value:.4f} pooled over {pooled.n:,} ordered pairs, "
            "printed 0.99 and 0.987 without saying which."
        )


def test_the_slips_are_worked_out_for_the_app_and_the_documents() -> None:
    assert [(slip.what, slip.printed, slip.from_rows) for slip in published_errors()] == [
        ("edge FP, total", "5", "6"),
        ("SHD of edges", "27", "28"),
        ("precision of edges, pooled", "0.994", "0.9930"),
        ("κ", "0.987 and 0.99", "0.9865 and 0.9829"),
        ("spurious nodes", "0", "4"),
    ]
    assert re.findall(r"\d+", published_errors()[0].why)[:5] == ["497", "435", "259", "235", "168"]
