"""What intervals of tables about graphs draw: queries within few graphs, many graphs as wholes, and so for a group."""

from __future__ import annotations

import pytest

from core.analysis.groupings import Grouping
from core.analysis.presets import Part, Shown, tables_of
from core.estimate import Estimate
from core.scoring.interval import Resampling
from protocols.causalgraph2llm.metrics import NODE_ACCURACY, is_node, paired
from protocols.causalgraph2llm.tables import CONDITIONS, PRESETS, TABLES
from tests.core.analysis.items import PlantedItem, columns_of

ALL = Grouping("all", "All", lambda item: ["all"])
SHOWN = Shown(how=Resampling(seed=1, draws=201), groups={"small": ("one", "two")})
MEAN = "Mean of 2 small models"


def item(model: str, graph: str, query: int, is_right: bool, names: str = "own") -> PlantedItem:
    return PlantedItem(
        run="run 1",
        model=model,
        task="source",
        variant="node",
        status="answered",
        answer="yes",
        predicted="yes" if is_right else "no",
        is_right=is_right,
        labels={"graph": (graph,), "names": (names,)},
        item_id=f"{model}/{graph}/{query}/{names}",
        sample=f"{graph}/{query}/{names}",
        cluster=f"{graph}/{query}",
    )


def answers(graphs: int) -> list[PlantedItem]:
    """Each graph has six queries; every other one is answered right throughout by both models, the others wrong. The
    second model meets the graphs in another order."""
    models = (("one", range(graphs)), ("two", reversed(range(graphs))))
    return [
        item(model, f"graph {number}", query, number % 2 == 0)
        for model, those in models
        for number in those
        for query in range(6)
    ]


def estimates(items: list[PlantedItem]) -> dict[str, Estimate]:
    (table,) = tables_of(columns_of(items, TABLES), Part((NODE_ACCURACY,), ALL), SHOWN)
    return {row: table.cells[row, "all"].estimate for row in table.row_labels}


def test_of_nine_graphs_queries_are_drawn_within_each_so_that_unlike_graphs_widen_nothing() -> None:
    """Five of nine are right, whichever queries of each are drawn."""
    found = estimates(answers(9))
    assert found.keys() == {"one", "two", MEAN}
    for estimate in found.values():
        assert (estimate.low, estimate.value, estimate.high) == pytest.approx((5 / 9,) * 3, abs=1e-12)


def test_ten_graphs_are_drawn_as_wholes() -> None:
    """The mean of ten fair coins has a standard deviation of 0.158; of sixty queries it would have 0.065."""
    for estimate in estimates(answers(10)).values():
        assert estimate.low is not None and estimate.high is not None
        assert estimate.value == pytest.approx(0.5, abs=1e-12)
        assert 0.4 < estimate.high - estimate.low < 0.8
        assert round(10 * estimate.low, 9) == round(10 * estimate.low), "whole graphs, of equal size"


def test_a_mean_of_a_group_draws_a_query_once_for_all_its_models() -> None:
    """Where one model is right exactly where the other is wrong, their mean is one half in every draw."""
    halves = [
        item(model, "graph", query, (query < 3) == (model == "one")) for model in ("one", "two") for query in range(6)
    ]
    found = estimates(halves)
    assert (found[MEAN].low, found[MEAN].high) == pytest.approx((0.5, 0.5), abs=1e-12)
    assert found["one"].low is not None and found["one"].low < 0.4


def test_a_paired_difference_of_a_group_is_drawn_within_graphs_too() -> None:
    """Own names help by a whole point in one graph and in the other not at all: half a point, in every draw."""
    both = [
        item(model, graph, query, names == "own" or graph == "b", names)
        for model in ("one", "two")
        for graph in ("a", "b")
        for query in range(4)
        for names in ("own", "neutral")
    ]
    difference = paired("Own minus neutral", "own minus neutral", "names", "own", "neutral", is_node)
    (table,) = tables_of(columns_of(both, TABLES), Part((difference,), ALL), SHOWN)
    for row in ("one", MEAN):
        estimate = table.cells[row, "all"].estimate
        assert (estimate.low, estimate.value, estimate.high) == pytest.approx((50.0, 50.0, 50.0), abs=1e-9)


def test_a_heading_says_over_how_many_graphs_and_kinds_of_names_a_number_is_unless_they_are_columns() -> None:
    items = columns_of([*answers(3), item("one", "graph 0", 9, True, names="neutral")])
    (bias, *_) = PRESETS["bias"].tables(items, Shown(conditions=CONDITIONS))
    assert bias.of == "source, node; over 2 kinds of names, 3 graphs"
    means = PRESETS["context"].tables(items, Shown(conditions=CONDITIONS))[-1]
    assert (means.column_title, means.of) == ("Graph and names", "source, node")
