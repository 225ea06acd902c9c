"""Results of the demo, opened when its tables are cached, compared with Streamlit pages without Edgewise's code.

Until the chart is drawn. One page is empty (goal: within twice its time), the other has what a table of results needs
at least: a chart and a table whose points and cells can be chosen. The first visit computes tables and intervals, and
is not counted.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.accept_edge import EMPTY_PAGE
from benchmarks.harness import chromium, edgewise, plain_streamlit, quantiles, row
from benchmarks.text_desk import opened_ms

OPENED = 9
LEAST = "Streamlit page with a chart and a table"
SHOWN = "[data-testid=stVegaLiteChart] svg"
CHART_AND_TABLE = """
import streamlit as st
values = [{"model": f"model {n}", "value": n / 7} for n in range(6)]
fields = {"y": {"field": "model", "type": "nominal"}, "x": {"field": "value", "type": "quantitative"}}
chosen = [{"name": "cell", "select": {"type": "point", "fields": ["model"]}}]
spec = {"data": {"values": values}, "mark": "point", "params": chosen, "encoding": fields}
st.vega_lite_chart(spec=spec, theme=None, width="stretch", key="chart", on_select="rerun")
table = {f"type {column}": [f"{n * column:.3f}" for n in range(3)] for column in range(6)}
st.dataframe(table, key="table", on_select="rerun", selection_mode="single-cell")
"""
TABLES = {"questions of five types": 8, "signs in their context": 1, "queries about two networks": 4}


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home, empty, least = Path(folder), Path(folder) / "empty.py", Path(folder) / "least.py"
        empty.write_text(EMPTY_PAGE)
        least.write_text(CHART_AND_TABLE)
        with (
            plain_streamlit(empty) as empty_url,
            plain_streamlit(least) as least_url,
            edgewise(home) as url,
            chromium() as browser,
        ):
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            links = {"empty Streamlit page": (empty_url, "[data-testid=stText]"), LEAST: (least_url, SHOWN)}
            for title, run in TABLES.items():
                links[f"results, {title}"] = (f"{url}/results?run={run}", SHOWN)
            times: dict[str, list[float]] = {name: [] for name in links}
            for number in range(OPENED + 1):
                for name, (link, selector) in links.items():
                    took = opened_ms(page, link, selector)
                    if number:  # the first of each fetches scripts and computes
                        times[name].append(took)
    empty_page, *others = times
    base, least_base = quantiles(times[empty_page])[0], quantiles(times[LEAST])[0]
    print(row(f"{empty_page}, opened", times[empty_page]))
    for name in others:
        print(row(f"{name}, opened", times[name], base, "the empty page (goal 2)"))
    for name in others[1:]:
        print(row(f"{name}, opened", times[name], least_base, "the page with a chart and a table"))
