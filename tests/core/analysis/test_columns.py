"""Many items as columns: what is merged is told apart again by nothing that a table counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.columns import ItemColumns
from core.analysis.items import ResultItem
from core.analysis.presets import Shown
from core.scoring.interval import Resampling
from protocols.econcausal.tables import PRESETS
from tests.core.analysis.items import PlantedItem, columns_of, item, planted


def apart(items: list[PlantedItem]) -> ItemColumns:
    """Every item a kind of its own."""
    merged, every = columns_of(items), np.arange(len(items), dtype=np.int32)
    return ItemColumns(items, every, every, merged._origins)


@pytest.mark.parametrize("key", sorted(PRESETS))
def test_a_table_of_merged_items_is_the_table_of_the_items(key: str) -> None:
    items = [
        replace(each, item_id=f"{number}", sample=f"s{number % 40}", cluster=None if number % 7 == 0 else each.cluster)
        for number, each in enumerate(planted(f"columns {key}", 90) * 3)
    ]
    merged, shown = columns_of(items), Shown(how=Resampling(3, 40))
    if key != "calibration":
        assert len(merged.kinds) < len(items)
    for ours, theirs in zip(PRESETS[key].tables(merged, shown), PRESETS[key].tables(apart(items), shown), strict=True):
        assert replace(ours, metric=theirs.metric) == theirs


@given(st.integers(0, 10_000), st.sampled_from(["task", "status", "answer"]))
def test_what_is_taken_keeps_the_order_and_the_ids_of_its_items(seed: int, name: str) -> None:
    items = [replace(each, sample=f"s{number // 2}") for number, each in enumerate(planted(str(seed), 60))]
    columns = columns_of(items)

    def has(value: object) -> Callable[[ResultItem], bool]:
        return lambda kind: getattr(kind, name) == value

    for value in {getattr(each, name) for each in items}:
        some = columns.where(has(value))
        wanted = [each for each in items if getattr(each, name) == value]
        assert some.ids == tuple(each.item_id for each in wanted)
        assert [some.kinds[number].status for number in some.numbers] == [each.status for each in wanted]
        assert (len(some), sum(some.counts)) == (len(wanted), len(wanted))
        assert all(some.counts) and some.sample_count == len(
            {(each.task, each.variant, each.sample) for each in wanted}
        )
        again = some.where(lambda kind: kind.model == "a")
        assert again.ids == tuple(each.item_id for each in wanted if each.model == "a")


def test_nothing_and_everything_can_be_taken() -> None:
    columns = columns_of([item(1), item(2, task="task2")])
    assert columns.taken([0, 1]) is columns
    nothing = columns.taken([])
    assert (len(nothing), nothing.ids, nothing.sample_count, list(nothing.counted())) == (0, (), 0, [])
    assert len(columns_of([])) == 0 and columns_of([]).drawn.clusters.tolist() == []


def test_items_of_a_paper_that_are_alike_are_one_row_to_draw_and_those_without_a_paper_are_each_their_own() -> None:
    alike = [item(1, cluster="p"), item(2, cluster="q"), item(3, cluster="p"), item(4, cluster=None)]
    drawn = columns_of([*alike, item(5, cluster=None), item(6, cluster="p", predicted="-")]).drawn
    assert (drawn.kinds.tolist(), drawn.counts.tolist()) == ([0, 0, 0, 0, 1], [2, 1, 1, 1, 1])
    first, second, third, fourth, fifth = drawn.clusters
    assert fifth == first and len({first, second, third, fourth}) == 4


def test_what_is_taken_of_shared_items_is_kept_and_is_the_same() -> None:
    alone = columns_of([replace(each, item_id=f"{place}") for place, each in enumerate(planted("shared", 60))])
    shared = alone.shared()
    kinds = [number for number, kind in enumerate(alone.kinds) if kind.status == "answered"]
    once, again = shared.taken(kinds), shared.taken(kinds)
    assert once is again and once.drawn is again.drawn
    assert (
        once.ids == alone.taken(kinds).ids
        and once.drawn.clusters.tolist() == alone.taken(kinds).drawn.clusters.tolist()
    )
    assert alone.taken(kinds) is not alone.taken(kinds)
