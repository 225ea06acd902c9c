"""The row of a proof whose test has several cases."""

from __future__ import annotations

import pytest

from tests.soak.plugin import Table

TEST = "tests/browser/test_walk.py::test_walk"


def row_of(*cases: dict[str, object]) -> str:
    table = Table()
    for number, said in enumerate(cases):
        table.claims[f"{TEST}[{number}]"] = ("T5", "a walk", "0 faults")
        report = pytest.TestReport(
            nodeid=f"{TEST}[{number}]",
            location=("", 0, ""),
            keywords={},
            outcome="passed",
            longrepr=None,
            when="call",
            user_properties=list(said.items()),
        )
        table.note(report)
    return next(row.figure for row in table.rows() if row.what == "a walk")


def test_counts_of_the_parts_of_one_walk_are_added_up() -> None:
    parts = ({"screens": 16, "faults": 0}, {"screens": 15, "faults": 1})
    figure = "{screens} screens: {faults} faults"
    assert row_of(*({"counts": counts, "figure": figure} for counts in parts)) == "31 screens: 1 faults"


def test_figures_of_cases_that_count_nothing_together_are_listed_once_each() -> None:
    assert row_of({"figure": "p50 {} ms"}, {"figure": "all whole"}, {"figure": "all whole"}) == "p50 {} ms; all whole"
