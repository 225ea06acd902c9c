"""Screens of a run over a table of 292 samples with 40 kB texts, compared with an empty Streamlit page.

Goal: the list of runs, and the sheet of an item with its text and both graphs, within twice the time of the empty page,
which is Streamlit's own without Edgewise's code.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.accept_edge import EMPTY_PAGE
from benchmarks.harness import ROOT, WORK_STUDY, chromium, edgewise, plain_streamlit, quantiles, row
from benchmarks.sample_tables import ROWS
from benchmarks.text_desk import opened_ms

OPENED = 7
SEED = """
import asyncio
from datetime import UTC, datetime
from sqlmodel import select
from benchmarks.sample_tables import table
from runs.worker import Worker
from services.graphs import sample_tables
from services.runs import planning
from services.runs.settings import RunConfig, SampleSource
from store.tables.runs import RunItemRow
key = sample_tables.import_samples(me, "t.parquet", table(), with_faulty=False, act_id=new_id()).subject_id
run = planning.start(me, RunConfig(title="", source=SampleSource(), protocol="recite", tasks=("generate",),
    variants=("names",), baselines=("hub",), options={"table": key}), act_id=new_id()).subject_id
asyncio.run(Worker(study.store, clock=lambda: datetime.now(UTC)).run(is_once=True))
with study.store.reading() as session:
    item = session.exec(select(RunItemRow.id).where(RunItemRow.run_id == run)).first()
print(json.dumps([run, item]))
study.close()
"""


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        store, script = home / "bench.edgewise", home / "empty.py"
        script.write_text(EMPTY_PAGE)
        command = [sys.executable, "-c", WORK_STUDY + SEED, str(store), str(home)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        run, item = json.loads(done.stdout.splitlines()[-1])
        with plain_streamlit(script) as empty_url, edgewise(home, store) as url, chromium() as browser:
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            looked = {
                "empty Streamlit page": (empty_url, "[data-testid=stText]"),
                "runs": (f"{url}/runs", "[class*='-choose-'] button"),
                "items, lowest score first": (
                    f"{url}/failures?run={run}&only=all&order=lowest",
                    "[data-testid=stDataFrame]",
                ),
                "sheet of an item": (f"{url}/failures?run={run}&only=all&item={item}", ".st-key-failures-text-box"),
            }
            times: dict[str, list[float]] = {name: [] for name in looked}
            for number in range(OPENED + 1):
                for name, (link, selector) in looked.items():
                    took = opened_ms(page, link, selector)
                    if number:  # the first of each fetches scripts
                        times[name].append(took)
    plain, *pages = times
    base = quantiles(times[plain])[0]
    print(row(f"{plain}, opened", times[plain]))
    for name in pages:
        print(row(f"{name}, {ROWS} samples, opened", times[name], base, "the empty page (goal 2)"))
