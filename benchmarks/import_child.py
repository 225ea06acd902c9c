"""Files read in the child process with limits, compared with the same readers in the server's own process.

Goal: a small file takes at most 50 ms more. Small texts stay in the server's process and are measured as users meet
them, through the function that decides (`services.exchange.file_reading`); everything packed, and all over 16 kB, goes
to the child. The second figure is what other users notice: how long the server's process works, of which decoding is
cut into short steps. The child is running, as it is once someone opened the import page; its start has a row of its
own.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.harness import quantiles, row
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.sign import Sign
from exchange import file_reading as here
from exchange.file_reading import FileChoices
from exchange.graphs import GraphForm, write_graph
from exchange.sheets import forget_sheets
from services.exchange import file_reading
from services.exchange.file_pool import file_pool
from services.study import open_study, use_study

ROUNDS, SLOW_ROUNDS = 30, 5
MOST_MORE_MS = 50


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        study = open_study(str(Path(folder) / "bench.edgewise"), Path(folder))
        use_study(study)
        try:
            _measure_start()
            _measure_files()
        finally:
            use_study(None)
            study.close()


def _measure_start() -> None:
    times = []
    for _round in range(SLOW_ROUNDS):
        with file_pool() as pool:
            times.append(_timed(partial(pool.call, "kind", {"name": "a.csv"}, b"jel"))[0])
    print(row("the child's start, and a first file without work", times))


def _measure_files() -> None:
    small, large, long = _graph(10), _graph(5_500), _graph(20_000, note=190)
    files = [
        ("10 edges, CSV", "small.csv", write_graph(small, GraphForm.CSV), True),
        ("10 edges, workbook", "small.xlsx", write_graph(small, GraphForm.XLSX), True),
        ("5,500 edges, CSV", "large.csv", write_graph(large, GraphForm.CSV), False),
        ("20,000 edges with notes, CSV", "long.csv", write_graph(long, GraphForm.CSV), False),
        ("20,000 edges with notes, workbook", "long.xlsx", write_graph(long, GraphForm.XLSX), False),
    ]
    for words, name, content, is_small in files:
        ask = partial(file_reading.read_graphs, name, content, FileChoices())
        _compare(words, len(content), partial(here.graphs_of, name, content, FileChoices()), ask, is_small=is_small)
    triplets = _triplets(2_000)
    _compare(
        "2,000 triplets, JSON lines",
        len(triplets),
        partial(here.triplets_of, "t.jsonl", triplets, None, ""),
        partial(file_reading.read_triplets, "t.jsonl", triplets, None, ""),
        is_small=False,
    )


def _compare(
    words: str, size: int, in_process: Callable[[], object], asked: Callable[[], object], *, is_small: bool
) -> None:
    """Compare in turns, so that both meet the same load."""
    in_child, plain, work = [], [], []
    asked()  # the child has loaded what this form needs
    for _round in range(ROUNDS if is_small else SLOW_ROUNDS):
        forget_sheets()
        plain.append(_timed(in_process)[0])
        took, own = _timed(asked)
        in_child.append(took)
        work.append(own)
    print(row(f"{words}, {_size(size)}: in our process, as before", plain))
    print(row(f"{words}: as read now", in_child, quantiles(plain)[0], "in our process"))
    more = quantiles(in_child)[0] - quantiles(plain)[0]
    goal = f" (goal at most {MOST_MORE_MS}: {'met' if more <= MOST_MORE_MS else 'missed'})" if is_small else ""
    print(f"{'':46} {more:+.1f} ms{goal}; our process worked {quantiles(work)[0]:.1f} ms of it")


def _graph(edges: int, note: int = 0) -> CausalGraph:
    rng = random.Random(11)
    pairs = rng.sample([(a, b) for a in range(400) for b in range(400)], edges)
    text = ("seen in the second panel " * 20)[:note]
    return CausalGraph.of(
        Edge(f"Variable {a} of things", f"Variable {b} of things", rng.choice([Sign.PLUS, Sign.MINUS]), note=text)
        for a, b in pairs
    )


def _triplets(number: int) -> bytes:
    rest = {"publication_year": 2000, "outcome": "Effect", "sign": "+", "context": "in a market of firms " * 120}
    lines = (
        json.dumps({"paper_id": n % 500, "title": f"Paper {n % 500}", "treatment": f"Cause {n}", **rest})
        for n in range(number)
    )
    return "\n".join(lines).encode()


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def _timed(act: Callable[[], object]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    act()
    return (time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000
