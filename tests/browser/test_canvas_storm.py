"""Acts faster than the server answers, and a connection that breaks: all are stored, in order, none twice.

Twenty acts a gap and two cuts; tests/soak fires two hundred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import sign_in
from tests.browser.storm import GAPS_MS, HEAD, seeded, storm
from tests.everything import usual

ACTS = 20
GAPS = usual(GAPS_MS, *GAPS_MS[1:])
ROWS: list[str] = []


@pytest.fixture(scope="module")
def site(server: Any) -> Iterator[tuple[Any, dict[int, str]]]:
    """The server and one transcription a gap, its names placed already."""
    yield server, seeded(server, GAPS)
    print("", HEAD, *ROWS, sep="\n")


@pytest.mark.parametrize("gap_ms", GAPS)
def test_every_act_is_stored_once_and_in_order_though_the_connection_is_cut(
    site: tuple[Any, dict[int, str]], new_page: Callable[..., Page], watch: Any, gap_ms: int
) -> None:
    watch.expected.append("^console: ")  # Streamlit tells the console in many words that the server is away
    server, works = site
    page = new_page(server)
    sign_in(page.context, server, "annotator")
    made = storm(page, server, works[gap_ms], gap_ms, ACTS, cuts=(6, 14))
    ROWS.append(made.line)
    assert made.stored == made.fired
