"""Acts faster than the server answers, and a connection that breaks: all are stored, in order, none twice.

Twenty acts a gap and one cut; tests/soak fires two hundred with two cuts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.storm import GAPS_MS, HEAD, seeded, storm
from tests.everything import usual

ACTS = 20
ROWS: list[str] = []


@pytest.fixture(scope="module")
def site(start_server: Callable[..., Any]) -> Iterator[tuple[Any, dict[int, str]]]:
    """A server with one transcription a gap, its names placed already."""
    server = start_server()
    yield server, seeded(server)
    print("", HEAD, *ROWS, sep="\n")


@pytest.mark.parametrize("gap_ms", usual(GAPS_MS, *GAPS_MS[1:]))
def test_every_act_is_stored_once_and_in_order_though_the_connection_is_cut(
    site: tuple[Any, dict[int, str]], page_as: Callable[..., Page], watch: Any, gap_ms: int
) -> None:
    watch.expected.append("^console: ")  # Streamlit tells the console in many words that the server is away
    server, works = site
    page = page_as("annotator", "/", on=server)
    made = storm(page, server, works[gap_ms], gap_ms, ACTS, cuts=(7,))
    ROWS.append(made.line)
    assert made.stored == made.fired
