"""A served demo study that tests kill, lock and starve: our server on one port, its store, and a page in Chromium."""

from __future__ import annotations

import os
import re
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).resolve().parents[2]
DRAWN = "SELECT n.name FROM edge e JOIN node n ON n.id = e.source_id WHERE e.graph_id = ?"


class Serving:
    """The demo study, served locally on one port through every kill. `home` may lie on a small disk."""

    def __init__(self, home: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.store = home / "demo.edgewise"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("EDGEWISE_")}
        self.environment = {**kept, "EDGEWISE_HOME": str(home)}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "edgewise.py", "serve", "--local", "--port", str(self.port)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline:
            try:
                urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2).close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        raise AssertionError("the server did not answer")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def ask(self, query: str, *values: str) -> list[tuple[str, ...]]:
        with sqlite3.connect(f"file:{self.store}?mode=ro", uri=True, timeout=60) as connection:
            found: list[tuple[str, ...]] = connection.execute(query, values).fetchall()
        connection.close()
        return found

    def graph_of(self, assignment_id: str) -> str:
        return self.ask("SELECT graph_id FROM assignment WHERE id = ?", assignment_id)[0][0]

    def drawn(self, graph_id: str) -> list[str]:
        """The sources of a graph's edges, as the store keeps them."""
        return [row[0] for row in self.ask(DRAWN, graph_id)]

    def verdict(self) -> str:
        return self.ask("PRAGMA integrity_check")[0][0]

    def wait_for(self, graph_id: str, typed: list[str], seconds: float) -> float:
        """Wait until exactly these edges are kept; the seconds it took. Fails with what is missing or twice."""
        began = time.monotonic()
        while sorted(self.drawn(graph_id)) != sorted(typed):
            kept = self.drawn(graph_id)
            missing, extra = set(typed) - set(kept), len(kept) - len(set(kept))
            assert time.monotonic() - began < seconds, f"missing: {sorted(missing)}; kept twice: {extra}"
            time.sleep(0.2)
        return time.monotonic() - began


@contextmanager
def served(home: Path) -> Iterator[Serving]:
    serving = Serving(home)
    serving.start()
    try:
        yield serving
    finally:
        serving.kill()


@contextmanager
def first_work(browser: Browser, serving: Serving) -> Iterator[tuple[Page, Locator, str]]:
    """A page with a newly taken transcription: the page, its line to type into, and the graph's id."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{serving.url}/transcribe")
    page.get_by_role("button", name="Take", exact=True).first.click()
    line = page.get_by_label("Type an edge")
    line.wait_for()
    try:
        yield page, line, serving.graph_of(page.url.partition("transcription=")[2])
    finally:
        context.close()


def shown_as_saved(page: Page) -> int:
    """Edges the page says are saved; 0 while it says anything else."""
    found = re.search(r"^Saved .* (\d+) edges$", page.locator(".receipt").inner_text())
    return int(found[1]) if found else 0
