"""Import / export alone: a table of samples is seen before it is kept, and is then in its own list."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from exchange.recite import ReciteRow, write_default
from services.graphs import sample_tables
from services.study import Study
from tests.pages.screen import draw_alone, drop, press, texts


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.exchange import screen as exchange

    exchange.show(viewer)


@pytest.fixture
def open_as(sqlite_study: Study) -> Callable[..., AppTest]:
    return partial(draw_alone, draw)


ROWS = (
    ReciteRow(id=1, edges=(("A", "B"),), nodes=("A",), input_text="A makes B."),
    ReciteRow(id=2, edges=(("A", "B"),), nodes=("A", "B")),
    ReciteRow(id=2, edges=(("A", "B"),)),
)


def test_a_table_shows_what_it_holds_and_what_is_odd_and_becomes_a_line_of_the_list(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    screen = open_as(people.researcher, part="import")
    drop(screen, ("mine.parquet", write_default(ROWS)))
    said = texts(screen)
    assert "2 samples, 1 with a text; 1 faulty row" in said
    assert "Kept as released, though not as the row says: edges in 1 row." in said
    assert "1 has no text and is left out of runs: id 2." in said
    press(screen, "Import 2 samples")
    (kept,) = sample_tables.sample_tables(people.researcher)
    assert (kept.title, kept.samples) == ("mine", 2)
    shown = texts(open_as(people.researcher, part="samples"))
    assert "2 samples of mine.parquet" in shown


def test_a_study_without_samples_says_how_they_come(open_as: Callable[..., AppTest], people: SimpleNamespace) -> None:
    page = open_as(people.researcher, part="samples")
    assert "Parquet" in texts(page) and not page.dataframe
