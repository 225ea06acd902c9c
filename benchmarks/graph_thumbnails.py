"""Thumbnails of 50 graphs, a page of the Graph lab's list, without any cached layout.

The diagrams are those of the topology's measurement. Goal: 50 thumbnails within 1 s of wall time, one after another.
"""

from __future__ import annotations

import tempfile
import time
from itertools import islice
from pathlib import Path

from benchmarks.harness import row
from exchange.forms import GraphForm
from exchange.graphs import write_graph
from services.acting import new_act_id, terminal_viewer
from services.graphs import importing, thumbnails
from services.study import open_study, use_study
from tests.core.graphs.test_topology import diagrams

GRAPHS, ROUNDS = 50, 5


def measure() -> None:
    viewer = terminal_viewer()
    with tempfile.TemporaryDirectory() as folder:
        study = open_study(str(Path(folder) / "bench.edgewise"), Path(folder))
        use_study(study)
        try:
            texts = [write_graph(graph, GraphForm.JSON, {}) for graph in islice(diagrams(), GRAPHS)]
            named = [(f"graph {number}.json", text) for number, text in enumerate(texts)]
            act = importing.import_graphs(viewer, named, with_faulty=False, act_id=new_act_id()).subject_id
            ids = [each.id for each in importing.imported_graphs(viewer, act)]
            times = []
            for _round in range(ROUNDS):
                began = time.perf_counter()
                for each in ids:
                    thumbnails.thumbnail(viewer, each)
                times.append((time.perf_counter() - began) * 1000)
        finally:
            use_study(None)
            study.close()
    print(row(f"{len(ids)} thumbnails, drawn (goal 1,000 ms)", times))
