"""An edge typed until it is listed with the database's receipt, compared with an empty Streamlit page's rerun.

Goals: median at most twice the empty page's rerun, and at 205 edges at most 1.5 times that at 5 edges. All servers and
pages are open at once and take turns, so that other load on the machine affects all alike. Streamlit collects garbage
after every run of a page unless configured otherwise; one empty page keeps that default, a second one has Edgewise's
setting.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.harness import ROOT, WORK_STUDY, chromium, edgewise, plain_streamlit, quantiles, row

ROUNDS = 20
WARM_UP = 3
SIZES = (5, 205)

EMPTY_PAGE = """
import streamlit as st
st.session_state.setdefault("n", 0)
if st.button("Count"):
    st.session_state.n += 1
st.text(f"clicks {st.session_state.n}")
"""

SEED = """
ids = []
for edges in (5, 205):
    ids.append(work())
    lines = [f'"Variable number {n % 140}" -> "Variable number {(n * 7 + 3 + n // 140) % 140}"' for n in range(edges)]
    transcribing.add_lines(me, ids[-1], "\\n".join(lines), pasted=True, seen=1, act_id=new_id())
print(json.dumps(ids))
study.close()
"""

# Runs in the page: notes when the key or click came and when the screen showed its result.
WATCH = """
([selector, pattern]) => {
  const find = () => {
    for (const host of document.querySelectorAll("*")) {
      const found = (host.shadowRoot ?? host).querySelector?.(selector);
      if (found) return found;
    }
    return null;
  };
  const seen = { start: 0, end: 0 };
  window.__seen = seen;
  const begin = (event) => {
    if (event.type === "keydown" && event.key !== "Enter") return;
    seen.start ||= performance.now();
  };
  addEventListener("keydown", begin, { capture: true, once: false });
  addEventListener("click", begin, { capture: true, once: true });
  const wanted = new RegExp(pattern);
  const look = () => {
    if (wanted.test(find()?.textContent ?? "")) seen.end = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
"""


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        store = home / "bench.edgewise"
        works = dict(zip(SIZES, seeded(store, home), strict=True))
        with with_empty_pages(home, store) as (url, browser, empty, quick):
            pages = {size: work_page(browser, f"{url}/transcribe?transcription={work}") for size, work in works.items()}
            for view in ("Figure", "Graph"):
                _measure_view(view, empty, quick, pages)


@contextmanager
def with_empty_pages(home: Path, store: Path) -> Iterator[tuple[str, Browser, Page, Page]]:
    """Yield the server's address, a browser, and two empty pages of Streamlit: its default, and one that collects no
    garbage."""
    script = home / "empty.py"
    script.write_text(EMPTY_PAGE)
    with (
        plain_streamlit(script) as empty_url,
        plain_streamlit(script, collects=False) as quick_url,
        edgewise(home, store) as url,
        chromium() as browser,
    ):
        yield url, browser, shown_empty(browser, empty_url), shown_empty(browser, quick_url)


def _measure_view(view: str, empty: Page, quick: Page, pages: dict[int, Page]) -> None:
    for page in pages.values():
        page.get_by_role("button", name=view, exact=True).click()
        page.wait_for_timeout(2_000)
    clicks = int(empty.get_by_text("clicks ").inner_text().split()[1])
    plain: list[float] = []
    not_collecting: list[float] = []
    times: dict[int, list[float]] = {size: [] for size in pages}
    for number in range(ROUNDS + WARM_UP):
        plain.append(rerun(empty, clicks + number + 1))
        not_collecting.append(rerun(quick, clicks + number + 1))
        for size, page in pages.items():
            times[size].append(accept(page, f"Added {view} {number}"))
    base, small = quantiles(plain[WARM_UP:])[0], quantiles(times[SIZES[0]][WARM_UP:])[0]
    print(row(f"empty Streamlit page ({view.lower()} round)", plain[WARM_UP:]))
    print(row("the same, collecting no garbage", not_collecting[WARM_UP:], base, "the empty page"))
    against = ((base, "the empty page (goal 2)"), (small, f"at {SIZES[0]} edges (goal 1.5)"))
    for size, (reference, words) in zip(SIZES, against, strict=True):
        print(row(f"edge accepted from {size} edges, {view.lower()} shown", times[size][WARM_UP:], reference, words))


def seeded(store: Path, home: Path) -> tuple[str, str]:
    """Make a demo study with two more transcriptions, of 5 and of 205 edges; return their ids."""
    command = [sys.executable, "-c", WORK_STUDY + SEED, str(store), str(home)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    small, large = json.loads(done.stdout.splitlines()[-1])
    return small, large


def shown_empty(browser: Browser, url: str) -> Page:
    page = browser.new_page()
    page.goto(url)
    page.get_by_text("clicks 0").wait_for(timeout=60_000)
    return page


def work_page(browser: Browser, url: str) -> Page:
    # Our policy forbids eval, which Playwright's waiting needs.
    page = browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
    page.goto(url)
    page.get_by_label("Type an edge").wait_for(timeout=60_000)
    return page


def rerun(page: Page, number: int) -> float:
    page.evaluate(WATCH, ["[data-testid=stText]", f"clicks {number}$"])
    page.get_by_role("button", name="Count").click()
    return _elapsed(page)


def accept(page: Page, name: str) -> float:
    """Type one edge; return the milliseconds from Enter until the receipt counts it."""
    before = page.locator(".receipt").inner_text()
    edges = int(before.split("nodes,")[1].split("edge")[0])
    line = page.get_by_label("Type an edge")
    line.fill(f"{name} -> {name} result")
    page.evaluate(WATCH, [".receipt", f"^Saved.*, {edges + 1} edges"])
    line.press("Enter")
    return _elapsed(page)


def _elapsed(page: Page) -> float:
    page.wait_for_function("window.__seen.start && window.__seen.end", timeout=30_000)
    elapsed: float = page.evaluate("window.__seen.end - window.__seen.start")
    return elapsed
