"""Two hundred acts on the canvas at each gap, the connection cut twice meanwhile: all stored, in order, none twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.storm import GAPS_MS, HEAD, seeded, storm
from tests.soak.table import scaled

ACTS = scaled(200, least=60)
CUTS = (ACTS * 3 // 10, ACTS * 7 // 10)
ROWS: list[str] = []


@pytest.fixture(scope="module")
def site(start_server: Callable[..., Any]) -> Iterator[tuple[Any, dict[int, str]]]:
    """A server with one transcription a gap, its names placed already."""
    server = start_server()
    yield server, seeded(server)
    print("", HEAD, *ROWS, sep="\n")


@pytest.mark.parametrize("gap_ms", GAPS_MS)
@pytest.mark.proof("T1", "acts in a hurry, the connection cut twice", gate="all stored once, in order")
def test_two_hundred_acts_are_stored_once_and_in_order_over_two_cuts(
    site: tuple[Any, dict[int, str]],
    page_as: Callable[..., Page],
    watch: Any,
    gap_ms: int,
    record_property: Callable[[str, object], None],
) -> None:
    watch.expected.append("^console: ")  # Streamlit tells the console in many words that the server is away
    server, works = site
    made = storm(page_as("annotator", "/", on=server), server, works[gap_ms], gap_ms, ACTS, CUTS)
    ROWS.append(made.line)
    record_property("repetitions", ACTS)
    assert made.cuts == len(CUTS)
    assert made.stored == made.fired
