"""Sides of a pair, as the link to their comparison has them."""

from __future__ import annotations

from core.runs.states import ItemStatus
from pages.results.cell import sides_of
from protocols.protocol import SampleSummary
from services.runs.views import FailureLine


def line(model: str, run: int = 1, repeat: int = 0) -> FailureLine:
    return FailureLine(
        item_id=f"{model}/{run}/{repeat}",
        run_id=f"id{run}",
        run_number=run,
        sample_id="s",
        key="k",
        task="task1",
        variant="",
        model=model,
        repeat=repeat,
        status=ItemStatus.ANSWERED,
        fault="",
        answer="+",
        predicted="+",
        is_right=True,
        summary=SampleSummary("A sample"),
    )


def test_the_side_that_is_named_first_comes_first_also_where_a_name_begins_with_the_other() -> None:
    both = [line("m"), line("m-large"), line("m")]
    assert sides_of(both, "m-large − m") == ["id1:m-large", "id1:m"]
    assert sides_of(both, "m − m-large") == ["id1:m", "id1:m-large"]


def test_two_runs_and_two_repeats_of_a_model_are_sides() -> None:
    assert sides_of([line("m", 1), line("m", 2)], "m (run 2) − m (run 1)") == ["id2:m", "id1:m"]
    assert sides_of([line("m", repeat=1), line("m")], "m: repeat 1 − repeat 2") == ["id1:m", "id1@2:m"]


def test_two_variants_of_a_model_are_no_two_sides() -> None:
    assert sides_of([line("m"), line("m")], "m: with context − without context") == ["id1:m"]
