"""Import / export alone: responses and evaluations are seen before they are kept, become runs, and are written."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from services.runs import reading
from services.study import Study
from tests.pages.screen import draw_alone, drop, press, texts
from tests.services.runs import public_parts as made


def draw(viewer) -> None:  # type: ignore[no-untyped-def]  # runs as a script of its own, without our imports
    from pages.exchange import screen as exchange

    exchange.show(viewer)


@pytest.fixture
def open_as(sqlite_study: Study) -> Callable[..., AppTest]:
    return partial(draw_alone, draw)


def test_dropped_tables_become_runs_one_after_the_other_and_are_written_again(
    open_as: Callable[..., AppTest], people: SimpleNamespace
) -> None:
    viewer = people.researcher
    screen = open_as(viewer, part="import")
    drop(screen, ("responses.parquet", made.parquet(made.responses(), made.RESPONSES)))
    assert "No table of samples is in the study." in texts(screen)
    drop(
        screen,
        ("responses.parquet", made.parquet(made.responses(), made.RESPONSES)),
        ("evaluations.parquet", made.parquet(made.evaluations(), made.EVALUATIONS)),
        ("default.parquet", made.samples()),
    )
    said = texts(screen)
    assert "Import the samples first. Then these responses can be imported here." in said
    assert "Import the responses first. Then these evaluations can be imported here." in said
    assert "cannot be imported" not in said
    press(screen, "Import 2 samples")
    assert "By model: big (3), small (3)." in texts(screen)
    press(screen, "Import 6 responses")
    assert "Imported as runs 1, 2, 3." in texts(screen)
    press(screen, "Import 7 evaluations")
    assert [line.number for line in reading.runs(viewer)] == [4, 3, 2, 1]
    out = open_as(viewer, part="export")
    press(out, "Create tables")
    assert "Of runs 1, 2, 3, 4: 2 samples, 6 responses, 7 evaluations." in texts(out)
