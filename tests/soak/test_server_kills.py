"""kill -9 of the server while someone types: what the page showed as saved is kept, all arrives exactly once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.soak.serving import first_work, served, shown_as_saved
from tests.soak.table import scaled

KILLS = scaled(50, least=2)
BURST = 8  # edges typed around each kill
AFTER = 3  # of these after it
STEPS_MS = tuple(range(0, 1_000, 100))  # the kill falls at another point of saving each time
ALL_SAVED_S = 90


@pytest.mark.proof("T1", "server killed while someone types", gate="0 shown as saved and lost, 0 twice, integrity ok")
def test_nothing_shown_as_saved_is_lost_over_the_kills(
    tmp_path: Path, browser: Browser, record_property: Callable[[str, object], None]
) -> None:
    typed: list[str] = []
    longest, shown = 0.0, 0
    with served(tmp_path) as serving, first_work(browser, serving) as (page, line, graph):
        for kill in range(KILLS):
            typed += [f"Kill {kill} edge {place}" for place in range(BURST - AFTER)]
            saved = type_edges(page, line, typed[-(BURST - AFTER) :])
            page.wait_for_timeout(STEPS_MS[kill % len(STEPS_MS)])
            saved = max(saved, shown_as_saved(page))
            serving.kill()
            typed += [f"Kill {kill} edge {place} later" for place in range(AFTER)]
            type_edges(page, line, typed[-AFTER:])
            kept = serving.drawn(graph)
            assert len(kept) >= saved, f"kill {kill}: {saved} shown as saved, {len(kept)} kept"
            assert len(set(kept)) == len(kept)
            shown += saved
            serving.start()
            longest = max(longest, serving.wait_for(graph, typed, ALL_SAVED_S))
            expect(page.locator(".receipt")).to_contain_text(f"{len(typed)} edges", timeout=60_000)
        assert serving.verdict() == "ok"
    record_property("repetitions", KILLS)
    record_property("figure", f"0 lost, 0 twice of {len(typed)} edges; all saved {longest:.1f} s after a restart")


def test_the_graph_is_still_drawn_for_itself_after_a_restart(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as serving, first_work(browser, serving) as (page, line, _graph):
        type_edges(page, line, ["Source"])
        page.get_by_role("button", name="Graph", exact=True).click()
        rearrange = page.get_by_role("button", name="Rearrange")  # which is there only while the graph is drawn
        expect(rearrange).to_be_visible(timeout=30_000)
        serving.kill()
        serving.start()
        type_edges(page, line, ["Other"])
        expect(page.locator(".receipt")).to_contain_text("2 edges", timeout=60_000)
        expect(rearrange).to_be_visible(timeout=30_000)


def type_edges(page: Page, line: Locator, names: list[str]) -> int:
    """Type an edge from each name; the most edges that the page said were saved meanwhile."""
    saved = 0
    for name in names:
        line.fill(f"{name} -> Sink")
        line.press("Enter")
        saved = max(saved, shown_as_saved(page))
    return saved
