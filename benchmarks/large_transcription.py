"""A transcription of 1,990 edges, near the maximum: opened, compared with one of 205, and pasted.

Goals: opened within twice the time of 205 edges; a paste of the same size, from the key to the store's receipt, within
two seconds. Nodes and edges have the proportions of ReCITE's largest diagram. Both are opened in turns.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.harness import ROOT, WORK_STUDY, chromium, edgewise, quantiles, row
from benchmarks.text_desk import opened_ms

SIZES = {205: 140, 1_990: 1_360}
"""Edges → nodes."""
OPENED, PASTED = 7, 3
REST_MS = 4_000  # A page keeps working after it shows its rows, which would delay the page opened next.
SEED = """
texts, pasted = json.loads(sys.argv[3])
works = [work() for _ in texts]
for one, text in zip(works, texts):
    transcribing.add_lines(me, one, text, pasted=True, seen=1, act_id=new_id())
print(json.dumps([works, [work() for _ in range(pasted)]]))
study.close()
"""
# Gives the text to the line as a paste does, presses Enter, and notes when the receipt counts its edges.
PASTE = """
([text, counted]) => {
  const roots = [...document.querySelectorAll("*")].map((each) => each.shadowRoot).filter(Boolean);
  const root = roots.find((each) => each.querySelector(".receipt") && each.querySelector("textarea"));
  const line = root.querySelector("textarea");
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  line.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, composed: true }));
  line.value = text;
  line.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  window.__took = 0;
  const start = performance.now();
  line.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, composed: true, cancelable: true }));
  const look = () => {
    if (root.querySelector(".receipt").textContent.includes(counted)) window.__took = performance.now() - start;
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
"""


def lines(edges: int, nodes: int) -> str:
    """Return `edges` edges as lines, no two alike and none to itself."""
    steps = ((n % nodes, (n + 1 + n // nodes) % nodes) for n in range(edges))
    return "\n".join(f'"Quantity number {source}" -> "Quantity number {sink}"' for source, sink in steps)


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        store = home / "bench.edgewise"
        works, empty = _seeded(store, home)
        with edgewise(home, store) as url, chromium() as browser:
            page = browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
            opened: dict[int, list[float]] = {edges: [] for edges in SIZES}
            for number in range(OPENED + 1):
                for edges, work in zip(SIZES, works, strict=True):
                    took = opened_ms(page, f"{url}/transcribe?transcription={work}", ".row[aria-selected]")
                    page.wait_for_timeout(REST_MS)
                    if number:  # the first of each fetches scripts
                        opened[edges].append(took)
            edges, nodes = list(SIZES.items())[-1]
            pasted = [_pasted(page, f"{url}/transcribe?transcription={work}", edges, nodes) for work in empty]
    few, many = SIZES
    base = quantiles(opened[few])[0]
    print(row(f"transcription of {few} edges, opened", opened[few]))
    print(row(f"transcription of {many:,} edges, opened", opened[many], base, f"{few} edges (goal 2)"))
    print(row(f"{edges:,} edges pasted, receipted (goal 2,000 ms)", pasted))


def _pasted(page: Page, url: str, edges: int, nodes: int) -> float:
    opened_ms(page, url, ".cv[data-editable='true']")
    page.wait_for_timeout(1_500)
    page.evaluate(PASTE, [lines(edges, nodes), f"{edges:,} edges"])
    page.wait_for_function("window.__took", timeout=60_000)
    return float(page.evaluate("window.__took"))


def _seeded(store: Path, home: Path) -> tuple[list[str], list[str]]:
    payload = json.dumps([[lines(edges, nodes) for edges, nodes in SIZES.items()], PASTED])
    command = [sys.executable, "-c", WORK_STUDY + SEED, str(store), str(home), payload]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    works, empty = json.loads(done.stdout.splitlines()[-1])
    return works, empty
