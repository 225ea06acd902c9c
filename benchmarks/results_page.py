"""Results of the demo, opened when its tables are cached, compared with an empty Streamlit page.

Goal: within twice the time of the empty page, which is Streamlit's own without Edgewise's code, until the chart is
drawn. The first visit computes tables and intervals, and is not counted.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.accept_edge import EMPTY_PAGE
from benchmarks.harness import chromium, edgewise, plain_streamlit, quantiles, row
from benchmarks.text_desk import opened_ms

OPENED = 9
TABLES = {"questions of five types": 8, "signs in their context": 1, "queries about two networks": 4}


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home, script = Path(folder), Path(folder) / "empty.py"
        script.write_text(EMPTY_PAGE)
        with plain_streamlit(script) as empty_url, edgewise(home) as url, chromium() as browser:
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            links = {"empty Streamlit page": (empty_url, "[data-testid=stText]")}
            for title, run in TABLES.items():
                links[title] = (f"{url}/results?run={run}", "[data-testid=stVegaLiteChart] svg")
            times: dict[str, list[float]] = {name: [] for name in links}
            for number in range(OPENED + 1):
                for name, (link, selector) in links.items():
                    took = opened_ms(page, link, selector)
                    if number:  # the first of each fetches scripts and computes
                        times[name].append(took)
    plain, *shown = times
    base = quantiles(times[plain])[0]
    print(row(f"{plain}, opened", times[plain]))
    for name in shown:
        print(row(f"results, {name}, opened", times[name], base, "the empty page (goal 2)"))
