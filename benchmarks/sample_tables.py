"""A table of 292 samples with 40 kB texts: its import and export, a run, its sheet, and 100,000 answers by score.

The table is made of words, with ReCITE's numbers of rows and nodes. Goals: import at most 5 s, a page of the lowest
scores of 100,000 items at most 300 ms in the database.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from sqlalchemy import insert
from sqlmodel import Session, SQLModel, col, select

from core.people import Viewer
from core.runs.filters import FailureFilters, ItemOrder
from exchange.recite import ReciteRow, write_default
from runs.worker import Worker
from services.acting import terminal_viewer
from services.graphs import sample_tables
from services.results import results
from services.runs import planning
from services.runs.items import graph_items
from services.runs.settings import RunConfig, SampleSource
from services.study import open_study, use_study
from store.runs import lists
from store.tables import new_id
from store.tables.runs import RunSampleRow

ROWS, CHARACTERS, ITEMS = 292, 40_000, 100_000
GOAL_IMPORT_S, GOAL_LIST_MS = 5.0, 300
TIMES = 5


def table() -> bytes:
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(3, 10))) for _ in range(4_000)]
    rows = []
    for number in range(ROWS):
        nodes = tuple(dict.fromkeys(" ".join(draw.sample(words, 2)) for _ in range(draw.randint(5, 50))))
        edges = tuple({(a, b) for a, b in (draw.sample(nodes, 2) for _ in range(2 * len(nodes)))})
        text = ""
        while len(text) < CHARACTERS:
            text += f"{' '.join(draw.choices([*words, *nodes], k=15))} leads to {draw.choice(nodes)}.\n\n"
        rows.append(ReciteRow(id=number, title=f"Paper {number}", nodes=nodes, edges=edges, input_text=text))
    return write_default(rows)


def with_items(session: Session, run_id: str) -> None:
    """Add answers with scores, by copies of the run's own."""
    draw = random.Random(2)
    samples = list(session.exec(select(RunSampleRow.id).where(col(RunSampleRow.run_id) == run_id)))
    kind = SQLModel.metadata.tables["run_item"]
    for start in range(0, ITEMS, 10_000):
        rows = [
            {"id": new_id(), "run_id": run_id, "sample_id": samples[at % len(samples)], "model": "made"}
            | {"repeat": at // len(samples), "shard": 0, "status": "answered", "score": draw.random(), "attempts": 0}
            | {"rung": "strict", "fault": "", "was_cached": False}
            for at in range(start, start + 10_000)
        ]
        session.execute(insert(kind), rows)


def measure() -> None:
    content = table()
    with tempfile.TemporaryDirectory() as folder:
        study = open_study(str(Path(folder) / "study.edgewise"), Path(folder) / "cache")
        use_study(study)
        _measure(terminal_viewer(), content)


Result = TypeVar("Result")


def _measure(viewer: Viewer, content: bytes) -> None:
    key, took = timed(
        lambda: sample_tables.import_samples(viewer, "t.parquet", content, with_faulty=False, act_id=new_id())
    )
    print(f"import of {ROWS} rows, {len(content) / 1e6:.1f} MB: {took:.2f} s (goal {GOAL_IMPORT_S} s)")
    file, took = timed(lambda: sample_tables.export_samples(viewer, key.subject_id))
    print(f"export: {took:.2f} s, {'the same bytes' if file.content == content else 'OTHER BYTES'}")
    config = RunConfig(
        title="",
        source=SampleSource(),
        protocol="recite",
        tasks=("generate",),
        variants=("standard", "names"),
        baselines=("random", "cue phrases", "co-mention", "hub"),
        options={"table": key.subject_id},
    )
    _, took = timed(lambda: planning.plan(viewer, config))
    print(f"dry run: {took:.2f} s")
    run, took = timed(lambda: planning.start(viewer, config, act_id=new_id()))
    print(f"start: {took:.2f} s")
    from services.study import current_study

    store = current_study().store
    _, took = timed(lambda: asyncio.run(Worker(store, clock=lambda: datetime.now(UTC)).run(is_once=True)))
    print(f"baselines, {8 * ROWS:,} items: {took:.1f} s")
    _, took = timed(lambda: results.results(viewer, [run.subject_id], "graphs"))
    print(f"table of results with intervals: {took:.2f} s")
    with store.reading() as session:
        filters = FailureFilters(runs=(run.subject_id,), order=ItemOrder.LOWEST)
        item_id = lists.page(session, filters, ("title",), 0, 50)[1][0].item_id
    _, took = timed(lambda: graph_items.graph_item(viewer, item_id))
    print(f"sheet of an item: {1000 * took:.0f} ms")
    with store.writing() as session:
        with_items(session, run.subject_id)
    with store.reading() as session:
        times = sorted(timed(lambda: lists.page(session, filters, ("title",), 0, 50))[1] for _ in range(TIMES))
    print(f"lowest scores of {ITEMS:,} items: {1000 * times[TIMES // 2]:.0f} ms (goal {GOAL_LIST_MS} ms)")


def timed(act: Callable[[], Result]) -> tuple[Result, float]:
    """Return the result and its seconds."""
    began = time.perf_counter()
    result = act()
    return result, time.perf_counter() - began
