"""Another program holds the store while someone types: a short lock goes unnoticed, a long one is said, all is kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from components.desk.tab import TRYING_AGAIN
from store.engine import BUSY_TIMEOUT_MS
from tests.soak.serving import first_work, served
from tests.soak.table import scaled

SHORT_S, LONG_S = 2, scaled(60, least=BUSY_TIMEOUT_MS // 1000 + 5)  # a long one outlasts the patience of a save


@pytest.mark.parametrize("seconds", [SHORT_S, LONG_S])
@pytest.mark.proof("T1", "store locked by another program", gate="all kept exactly once; a long lock is said plainly")
def test_what_is_typed_under_a_lock_is_kept(
    tmp_path: Path, browser: Browser, seconds: int, record_property: Callable[[str, object], None]
) -> None:
    record_property("what", f"store locked by another program for {seconds} s")
    typed = [f"Typed {place}" for place in range(6)]
    with served(tmp_path) as serving, first_work(browser, serving) as (page, line, graph):
        other = sqlite3.connect(serving.store, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        for name in typed:
            line.fill(f"{name} -> Sink")
            line.press("Enter")
        if seconds == LONG_S:
            reader = page.context.new_page()
            reader.goto(f"{serving.url}/papers")
            expect(reader.get_by_role("heading", name="Papers")).to_be_visible(timeout=15_000)
            expect(page.locator(".receipt")).to_have_text(TRYING_AGAIN, timeout=1_000 * seconds)
        else:
            page.wait_for_timeout(1_000 * seconds)
            expect(page.locator(".receipt")).to_contain_text("Saving")
        other.execute("ROLLBACK")
        other.close()
        took = serving.wait_for(graph, typed, 90)
        expect(page.locator(".receipt")).to_contain_text(f"{len(typed)} edges", timeout=60_000)
        assert serving.verdict() == "ok"
    record_property("repetitions", len(typed))
    said = f'; the page said "{TRYING_AGAIN}", others could read on' if seconds == LONG_S else "; nothing was said"
    record_property("figure", f"0 lost, 0 twice, all saved {took:.1f} s after the lock ended{said}")
