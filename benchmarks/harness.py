"""Shared parts of the measurements: a served study, a plain Streamlit page to compare with, a browser, quantiles."""

from __future__ import annotations

import os
import platform
import re
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
WORK_STUDY = """
import json, sys
from pathlib import Path
from core.papers.pages import Box
from core.people import Role, Viewer
from services.transcription import canvas_edits as canvassing, transcribing
from services.papers import figures, papers
from services.acting import TERMINAL
from services.demo.study import make_demo
from services.study import open_study, use_study
from store import people
from store.tables import new_id

study = open_study(sys.argv[1], Path(sys.argv[2]))
use_study(study)
make_demo()
with study.store.reading() as session:
    owner = people.owner(session)
me = Viewer(person_id=owner.id, name=owner.name, roles=frozenset({Role.OWNER}), session_id=TERMINAL)
BOX = Box(90, 420, 540, 590)
paper = next(line.id for line in papers.list_papers(me) if line.figures)

def work():
    # Of a figure that nobody else has seen, so that it does not matter how far the demo's are.
    figure = figures.locate(me, paper, 1, BOX, label="Measured", act_id=new_id()).subject_id
    return transcribing.take(me, figure, act_id=new_id()).subject_id
"""
"""Python that makes the demo study at argv[1], its files in argv[2]; `work()` begins a transcription of the owner's."""

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def served(command: Sequence[str], port: int, environment: dict[str, str]) -> Iterator[str]:
    """Run a server until the block ends; yield its address once it answers."""
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 90
        while not _answers(url):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start: {' '.join(command)}")
            time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(10)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@contextmanager
def plain_streamlit(script: Path, *, collects: bool = True) -> Iterator[str]:
    """Serve the peer: the same Streamlit with nothing but `script`. `collects`: garbage after every run, Streamlit's
    default; this folder's settings, where both start, turn it off."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(script),
        "--server.port",
        str(port),
        "--server.headless",
        "true",
        "--browser.gatherUsageStats",
        "false",
        "--server.fileWatcherType",
        "none",
        "--runner.postScriptGC",
        str(collects).lower(),
    ]
    with served(command, port, {}) as url:
        yield url


@contextmanager
def edgewise(home: Path, store: Path | None = None) -> Iterator[str]:
    """Serve a study that opens signed in; without a store a demo study made in `home`."""
    port = free_port()
    command = [sys.executable, "edgewise.py", "serve", "--local", "--port", str(port)]
    command += ["--store", str(store)] if store else []
    with served(command, port, {"EDGEWISE_HOME": str(home)}) as url:
        yield url


def chromium_path() -> str:
    """Return the browser to drive. The shell is Chromium without its window, at half the processor time."""
    named = os.environ.get("EDGEWISE_CHROMIUM")
    return named or shutil.which("chromium-headless-shell") or shutil.which("chromium") or "/usr/bin/chromium"


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        yield browser
        browser.close()


def key_ms(page: Page, selector: str, key: str) -> float:
    """Return the milliseconds from a key pressed on a desk until the next frame is painted."""
    return float(page.evaluate(_KEY, [selector, key]))


_KEY = """
async ([selector, key]) => {
  const roots = [...document.querySelectorAll("*")].map((each) => each.shadowRoot);
  const part = roots.map((each) => each?.querySelector(selector)).find(Boolean);
  const start = performance.now();
  part.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));  // after the frame is painted
  return performance.now() - start;
}
"""


def quantiles(times_ms: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(times_ms)
    return statistics.median(ordered), ordered[min(len(ordered) - 1, int(0.9 * len(ordered)))]


def row(label: str, times_ms: Sequence[float], base: float | None = None, against: str = "") -> str:
    """Return one printed line: median, p90 and the ratio to a base median of the same run.

    docs/generate.py reads these lines.
    """
    p50, p90 = quantiles(times_ms)
    ratio = f"   {p50 / base:5.2f}x {against}" if base else ""
    return f"{label:46} p50 {p50:7.1f} ms   p90 {p90:7.1f} ms   n={len(times_ms)}{ratio}"


def load() -> float:
    """Return the mean number of processes that ran or waited over the last minute."""
    return round(os.getloadavg()[0], 1)


def machine() -> dict[str, str | int]:
    """Return the machine's processor, cores, memory and versions; no names, no paths."""
    model = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": model[1] if model else platform.machine(),
        "cores": os.cpu_count() or 1,
        "memory": f"{memory / 2**30:.0f} GiB",
        "system": platform.system(),
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        "Streamlit": version("streamlit"),
    }


def regenerate_guides() -> None:
    """Put stored results into the guides. A process of its own: it imports the whole program."""
    subprocess.run([sys.executable, "docs/generate.py"], cwd=ROOT, check=True)
