"""Charts told from diagrams by their axes of numbers."""

from __future__ import annotations

import pytest

from documents.proposals.axes import has_axes
from documents.proposals.words import PrintedWord


def word(text: str, x: float, y: float) -> PrintedWord:
    return PrintedWord(text, (x - 4, y - 5, x + 4, y + 5), 10)


def row(values: list[str], *, y: float = 300, step: float = 60) -> list[PrintedWord]:
    return [word(value, 50 + step * place, y) for place, value in enumerate(values)]


def column(values: list[str], *, x: float = 20, step: float = 50) -> list[PrintedWord]:
    return [word(value, x, 280 - step * place) for place, value in enumerate(values)]


@pytest.mark.parametrize(
    ("across", "up"),
    [
        (["0.0", "2.5", "5.0", "7.5"], ["1", "2", "3", "4"]),
        (["1990", "1995", "2000", "2005"], ["−2", "−1", "0", "1", "2"]),
        (["0", "1", "2", "3"], ["0%", "25%", "50%", "75%"]),
    ],
)
def test_a_row_and_a_column_of_even_numbers_are_axes(across: list[str], up: list[str]) -> None:
    assert has_axes([*row(across), *column(up), word("Rain", 120, 100)])


def test_a_tick_that_was_not_read_leaves_an_axis() -> None:
    read = row(["0", "10", "20", "30", "40", "50"])
    del read[3]
    assert has_axes([*read, *column(["1", "2", "3", "4"])])


def test_a_row_alone_is_no_chart_as_a_chain_of_numbered_nodes_is_none() -> None:
    assert not has_axes(row(["1", "2", "3", "4", "5"]))


def test_nodes_called_by_numbers_in_a_grid_are_no_axes() -> None:
    grid = [
        word(str(1 + across + 5 * down), 50 + 60 * across, 50 + 60 * down) for across in range(5) for down in range(5)
    ]
    assert not has_axes(grid)


def test_numbers_that_do_not_grow_as_they_stand_are_no_axes() -> None:
    assert not has_axes([*row(["3", "1", "7", "2"]), *column(["1", "2", "3", "4"])])
    assert not has_axes([*row(["1", "2", "3", "4"]), *column(["5", "9", "2", "8"])])


def test_a_figure_without_words_has_no_axes() -> None:
    assert not has_axes([])
