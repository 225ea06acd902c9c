"""An edge drawn on the canvas until it is seen and until its receipt, compared with an empty page's rerun.

Goals: seen before the receipt, by two clicks on names; the receipt at most twice the empty page's rerun. All servers
and pages are open at once and take turns, as in accept_edge, so that other load on the machine affects all alike.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.accept_edge import ROUNDS, SIZES, WARM_UP, rerun, with_empty_pages
from benchmarks.harness import ROOT, WORK_STUDY, quantiles, row

NODES = {5: 6, 205: 70}
"""Names on the figure, none of them without an edge: as many as such a graph has."""
SEED = """
ids = []
for edges, nodes in json.loads(sys.argv[3]):
    ids.append(work())
    wide, high = (BOX.x1 - BOX.x0) / 10, (BOX.y1 - BOX.y0) / 7
    seen = 1
    for n in range(nodes):
        at = (BOX.x0 + wide * (n % 10 + 0.5), BOX.y0 + high * (n // 10 + 0.5))
        seen = canvassing.place_node(me, ids[-1], f"V{n}", at, None, "drawn", seen=seen, act_id=new_id()).version
    lines = [f'"V{n % nodes}" -> "V{(n % nodes + 1 + n // nodes) % nodes}"' for n in range(edges)]
    transcribing.add_lines(me, ids[-1], "\\n".join(lines), pasted=True, seen=seen, act_id=new_id())
print(json.dumps(ids))
study.close()
"""

# Draws the edge by two clicks; notes when it is seen, and when the store has answered for it and is drawn as stored.
DRAW = """
([source, sink]) => {
  const root = [...document.querySelectorAll('[data-testid="stBidiComponentIsolated"]')].map((one) => one.shadowRoot)
    .find((one) => one?.querySelector(".cv"));
  const canvas = root.querySelector(".cv");
  const click = (name) => root.querySelector(`g.cv-node[data-key="${name}"]`)
    .dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, detail: 0 }));
  const drawn = () => root.querySelector(`g.cv-edge[aria-label^="${source} to ${sink},"]`);
  const seen = { drawn: 0, receipt: 0 };
  window.__seen = seen;
  click(source);
  const start = performance.now();
  click(sink);
  const look = () => {
    if (!seen.drawn && drawn()) seen.drawn = performance.now() - start;
    if (seen.drawn && canvas.dataset.waiting === "0") seen.receipt = performance.now() - start;
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
"""


@dataclass
class Times:
    """Milliseconds from the second click until the edge is seen, and until its receipt."""

    drawn: list[float] = field(default_factory=list)
    receipt: list[float] = field(default_factory=list)


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        store = home / "bench.edgewise"
        works = dict(zip(SIZES, _seeded(store, home), strict=True))
        with with_empty_pages(home, store) as (url, browser, empty, quick):
            pages = {size: _canvas(browser, f"{url}/transcribe?transcription={work}") for size, work in works.items()}
            plain, not_collecting, by_size = _turns(empty, quick, pages)
    base = quantiles(plain)[0]
    print(row("empty Streamlit page", plain))
    print(row("the same, collecting no garbage", not_collecting, base, "the empty page"))
    for size, times in by_size.items():
        early = sum(seen < receipt for seen, receipt in zip(times.drawn, times.receipt, strict=True))
        print(row(f"edge seen at {size} edges", times.drawn, base, f"the empty page; before its receipt {early} times"))
        print(row(f"edge receipted at {size} edges", times.receipt, base, "the empty page (goal 2)"))


def _turns(empty: Page, quick: Page, pages: dict[int, Page]) -> tuple[list[float], list[float], dict[int, Times]]:
    plain: list[float] = []
    not_collecting: list[float] = []
    by_size = {size: Times() for size in pages}
    for number in range(ROUNDS + WARM_UP):
        waited, waited_quick = rerun(empty, number + 1), rerun(quick, number + 1)
        times = {size: _draw(page, *_fresh_pair(size, number)) for size, page in pages.items()}
        if number < WARM_UP:
            continue
        plain.append(waited)
        not_collecting.append(waited_quick)
        for size, (drawn, receipt) in times.items():
            by_size[size].drawn.append(drawn)
            by_size[size].receipt.append(receipt)
    return plain, not_collecting, by_size


def _fresh_pair(size: int, number: int) -> tuple[str, str]:
    """Return two names without an edge: seeded edges go to the 1st, 2nd … next name until there are `size`."""
    nodes = NODES[size]
    source = number % nodes
    return f"V{source}", f"V{(source + -(-size // nodes) + 1 + number // nodes) % nodes}"


def _seeded(store: Path, home: Path) -> tuple[str, str]:
    """Make a demo study with two more transcriptions, names placed, of 5 and of 205 edges; return their ids."""
    command = [sys.executable, "-c", WORK_STUDY + SEED, str(store), str(home), json.dumps(list(NODES.items()))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    small, large = json.loads(done.stdout.splitlines()[-1])
    return small, large


def _canvas(browser: Browser, url: str) -> Page:
    # Our policy forbids eval, which Playwright's waiting needs.
    page = browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
    page.goto(url)
    page.locator(".cv[data-editable='true']").wait_for(timeout=60_000)
    page.locator('g.cv-node[data-key="V5"]').wait_for(timeout=60_000)
    return page


def _draw(page: Page, source: str, sink: str) -> tuple[float, float]:
    page.evaluate(DRAW, [source, sink])
    page.wait_for_function("window.__seen.receipt", timeout=30_000)
    seen: dict[str, float] = page.evaluate("window.__seen")
    return seen["drawn"], seen["receipt"]
