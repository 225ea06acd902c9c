"""Five kills -9 of the server while someone types: what the page showed as saved is kept, all arrives exactly once.

Run with `make soak`; prints one line a kill.
"""

from __future__ import annotations

import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
KILLS = 5
BURST = 12  # edges typed around each kill
ALL_SAVED_S = 90


class Serving:
    """The demo study, served locally on one port through every kill."""

    def __init__(self, home: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.store = home / "demo.edgewise"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("EDGEWISE_")}
        self.environment = {**kept, "EDGEWISE_HOME": str(home)}

    def start(self) -> None:
        command = [sys.executable, "edgewise.py", "serve", "--local", "--port", str(self.port)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/_stcore/health", timeout=2).close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        raise AssertionError("the server did not answer")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def drawn(self, graph_id: str) -> list[str]:
        query = "SELECT n.name FROM edge e JOIN node n ON n.id = e.source_id WHERE e.graph_id = ?"
        with sqlite3.connect(self.store) as connection:
            return [row[0] for row in connection.execute(query, (graph_id,))]

    def graph_of(self, assignment_id: str) -> str:
        with sqlite3.connect(self.store) as connection:
            row = connection.execute("SELECT graph_id FROM assignment WHERE id = ?", (assignment_id,)).fetchone()
        return str(row[0])

    def verdict(self) -> str:
        with sqlite3.connect(self.store) as connection:
            return str(connection.execute("PRAGMA integrity_check").fetchone()[0])


def shown_as_saved(page: Page) -> int:
    """Edges the page says are saved; 0 while it says anything else."""
    found = re.search(r"^Saved .* (\d+) edges$", page.locator(".receipt").inner_text())
    return int(found[1]) if found else 0


def test_nothing_shown_as_saved_is_lost_over_five_kills(tmp_path: Path) -> None:
    serving = Serving(tmp_path)
    serving.start()
    typed: list[str] = []
    table = ["kill  typed  shown saved  in store after the kill  all saved after restart"]
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=os.environ.get("EDGEWISE_CHROMIUM", "/usr/bin/chromium"),
                args=["--no-sandbox", "--disable-gpu"],
            )
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            page.set_default_timeout(60_000)
            page.goto(f"http://127.0.0.1:{serving.port}/transcribe")
            page.get_by_role("button", name="Take", exact=True).first.click()
            line = page.get_by_label("Type an edge")
            line.wait_for()
            graph = serving.graph_of(page.url.partition("transcription=")[2])
            for kill in range(1, KILLS + 1):
                saved = 0
                for place in range(BURST):
                    typed.append(f"Kill {kill} edge {place}")
                    line.fill(f"{typed[-1]} -> Sink {kill}")
                    line.press("Enter")
                    saved = max(saved, shown_as_saved(page)) if place <= BURST - 4 else saved
                    if place == BURST - 4:
                        page.wait_for_timeout(150 * kill)  # the kill falls at another point of saving each time
                        saved = max(saved, shown_as_saved(page))
                        serving.kill()
                kept = serving.drawn(graph)
                assert len(kept) >= saved, f"kill {kill}: {saved} shown as saved, {len(kept)} kept"
                assert len(set(kept)) == len(kept)
                began = time.monotonic()
                serving.start()
                while sorted(serving.drawn(graph)) != sorted(typed) and time.monotonic() - began < ALL_SAVED_S:
                    time.sleep(0.2)
                assert sorted(serving.drawn(graph)) == sorted(typed)
                table.append(f"{kill:4}  {len(typed):5}  {saved:11}  {len(kept):23}  {time.monotonic() - began:.1f} s")
                expect(page.locator(".receipt")).to_contain_text(f"{len(typed)} edges", timeout=60_000)
            browser.close()
        assert serving.verdict() == "ok"
    finally:
        serving.kill()
        print("\n" + json.dumps({"kills": KILLS, "edges": len(typed)}), *table, sep="\n")
