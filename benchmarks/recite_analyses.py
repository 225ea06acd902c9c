"""ReCITE's analyses of a judged run as large as the paper's, compared with its first table of results.

292 samples with a vector of 1,536 numbers each, ten models, two judges, planted from a seed, read as a frame. Goals:
the first computation of the main table at most 1.25 times that of *Edges and nodes* of the same number of answers; any
further table at most 300 ms.
"""

from __future__ import annotations

import base64
import time

import numpy as np
import pandas as pd

from benchmarks.harness import quantiles, row
from core.analysis.analyse import INTERVALS, Prepared, prepared, tables
from core.analysis.slices import Slice
from protocols import PROTOCOLS
from tests.protocols.recite.analyses.planted import corpus

SAMPLES, MODELS, JUDGES, TIMES = 292, 10, 2, 5
RECITE = PROTOCOLS["recite"]
FIRST, MAIN = "graphs", "main"


def measure() -> None:
    judged = _with_vectors(corpus(SAMPLES, MODELS, JUDGES))
    exact = _by_names(judged)
    _first(exact, FIRST)  # imports
    base, _ = zip(*(_first(exact, FIRST) for _ in range(TIMES)), strict=True)
    main, ready = zip(*(_first(judged, MAIN) for _ in range(TIMES)), strict=True)
    median = quantiles(base)[0]
    print(row(f"{len(exact):,} answers, first table, edges and nodes", base))
    print(row(f"{len(judged):,} judged answers, first table, main", main, median, "edges and nodes (goal 1.25)"))
    for key in RECITE.tables.presets:
        if key != MAIN:
            print(row(f"further table, {key} (goal 300 ms)", [_table(ready[0], key) for _ in range(TIMES)]))


def _with_vectors(judged: pd.DataFrame) -> pd.DataFrame:
    """The same answers; each sample has a vector around one of five centres."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(5, 1536)) / 2
    cells = {
        sample: base64.b64encode((centres[place % 5] + rng.normal(size=1536)).astype("<f4").tobytes()).decode()
        for place, sample in enumerate(judged["sample"].unique())
    }
    return judged.assign(**{"fact.vector": judged["sample"].map(cells), "fact.embedder": "planted"})


def _by_names(judged: pd.DataFrame) -> pd.DataFrame:
    """The same answers without judges, with scores by exact names in two variants."""
    parts = ("edge", "node")
    scores = {
        f"score.{part}_{figure}": judged[f"score.default.{part}_{figure}"]
        for part in parts
        for figure in ("f1", "precision", "recall")
    }
    plain = judged.drop(columns=[name for name in judged if name.startswith(("score.", "count.judged"))])
    first = plain["judge"] == "First judge"
    return plain.assign(
        **scores,
        task="generate",
        judge=None,
        judged_variant=None,
        variant=first.map({True: "standard", False: "names"}),
    )


def _first(frame: pd.DataFrame, key: str) -> tuple[float, Prepared]:
    started = time.perf_counter()
    ready = prepared(frame, RECITE.tables, RECITE.variant_titles, Slice())
    tables(ready, RECITE.tables.preset(key), Slice(), INTERVALS)
    return (time.perf_counter() - started) * 1000, ready


def _table(ready: Prepared, key: str) -> float:
    started = time.perf_counter()
    tables(ready, RECITE.tables.preset(key), Slice(), INTERVALS)
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    measure()
