"""Time and memory of proposals for figures of other programs, compared with drawing the same pages, by program.

Reading (words, lines, edges) and drawing (200 dpi, PNG) take turns in two of the product's child processes, new ones
for each program, since a process seldom frees memory. Their processor time is counted, and their peak memory: with the
pages open, then reading or drawing. A second table is of one figure of each program as a picture of 150 dpi, read in
the child for pictures, whose address space is limited. EDGEWISE_FOREIGN names programs (as the files of the corpus
begin) to measure instead of all, and `vector` or `png` for one of the tables.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.memory import highest_mb, highest_space_mb
from benchmarks.proposals_foreign import SEED
from documents.child_process import Child
from documents.limits import PICTURES, Limits
from documents.pool import PROGRAM
from tests.documents.foreign.corpus import FAMILIES, ForeignFigure, figures
from tests.documents.foreign.damaged import damaged

DPI = 200
ROUNDS = 3  # of a figure; the median counts
PATIENCE_S = 600
ANYWHERE = [0.0, 0.0, 20_000.0, 20_000.0]  # is cut to the page
TABLES = ("vector", "png")
HEAD = (
    *("figures", "reading: median ms", "largest ms", "drawing: median ms", "largest ms"),
    *("reading over drawing", "pages open: MB", "reading: most MB", "drawing: most MB"),
)
PICTURE_HEAD = ("figure", "reading: ms", "drawing: ms", "reading: most MB", "address space: most MB")


Times = tuple[float, float]
"""Milliseconds of reading and of drawing."""


class Watched:
    def __init__(self, limits: Limits) -> None:
        self._child = Child(PROGRAM, limits)
        self.pid = self._child.process.pid
        self._child.await_ready(time.monotonic() + PATIENCE_S)

    def ask(self, task: str, request: Mapping[str, Any], content: bytes = b"") -> tuple[float, Mapping[str, Any]]:
        """Return the processor ms and the answer. Exits if the document could not be read."""
        before = self._processor_ms()
        request_line = {"task": task, "arguments": dict(request)}
        values = self._child.exchange(request_line, content, time.monotonic() + PATIENCE_S).values
        if "error" in values:
            sys.exit(f"{request['path']}: {values['error']['message']}")
        return self._processor_ms() - before, values

    def end(self) -> None:
        self._child.end()

    def _processor_ms(self) -> float:
        """Return the time of all threads together by the scheduler: the ticks of /proc/PID/stat are too coarse."""
        threads = Path(f"/proc/{self.pid}/task").iterdir()
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e6


def measure() -> None:
    programs = os.environ.get("EDGEWISE_FOREIGN", "").split()
    if unknown := [word for word in programs if word not in (*TABLES, *FAMILIES)]:
        sys.exit(f"EDGEWISE_FOREIGN: there is no {unknown[0]!r}; there are: {', '.join((*TABLES, *FAMILIES))}.")
    families = sorted({FAMILIES[word] for word in programs if word in FAMILIES} or FAMILIES.values(), key=str.lower)
    tables: dict[str, Callable[[Sequence[str]], None]] = {"vector": _vector_table, "png": _picture_table}
    for name in [name for name in TABLES if name in programs or not set(TABLES) & set(programs)]:
        tables[name](families)


def _vector_table(families: Sequence[str]) -> None:
    print(f"| drawn by | {' | '.join(HEAD)} |\n|---|{'---:|' * len(HEAD)}", flush=True)
    times, memory = list[Times](), list[Sequence[float]]()
    for family in families:
        some = [one for one in figures() if one.family == family]
        with watched(Limits()) as reader, watched(Limits()) as drawer:
            for figure in some:
                reader.ask("page", request_of(figure.path))
            held = [highest_mb(reader.pid)]
            own = [_both(reader, drawer, figure) for figure in some]
            held += [highest_mb(child.pid) for child in (reader, drawer)]
        print(_row(family, own, held), flush=True)
        times += own
        memory.append(held)
    print(_row("all", times, [max(column) for column in zip(*memory, strict=True)]), flush=True)


def _both(reader: Watched, drawer: Watched, figure: ForeignFigure) -> Times:
    request = request_of(figure.path)
    reading, drawing = list[float](), list[float]()
    for child in (reader, drawer):
        child.ask("page", request)
    for _ in range(ROUNDS):
        took, values = reader.ask("proposals", {**request, "box": ANYWHERE})
        if values.get("is_picture"):
            sys.exit(f"{figure.stem}: its lines were not understood, so that its pixels would be read too.")
        reading.append(took)
        drawing.append(drawer.ask("draw", {**request, "dpi": DPI, "box": None})[0])
    return median(reading), median(drawing)


def _row(name: str, pairs: Sequence[Times], memory: Sequence[float]) -> str:
    cells = [str(len(pairs))]
    for times in zip(*pairs, strict=True):
        cells += [f"{median(times):.0f}", f"{max(times):.0f}"]
    reading, drawing = (sum(times) for times in zip(*pairs, strict=True))
    cells += [f"{reading / drawing:.2f}", *(f"{one:.0f}" for one in memory)]
    return f"| {name} | {' | '.join(cells)} |"


def _picture_table(families: Sequence[str]) -> None:
    print(f"\n| picture of | {' | '.join(PICTURE_HEAD)} |\n|---|---|{'---:|' * (len(PICTURE_HEAD) - 1)}", flush=True)
    first = {one.family: one for one in reversed(figures("development"))}
    for family in families:
        figure = first[family]
        with tempfile.TemporaryDirectory() as folder, watched(PICTURES) as child:
            path = Path(folder) / f"{figure.stem}.pdf"
            path.write_bytes(damaged(figure.path, "png", SEED))
            request = request_of(path)
            drawing, _ = child.ask("draw", {**request, "dpi": DPI, "box": None})
            reading, _ = child.ask("pixels", {**request, "box": ANYWHERE})
            space = highest_space_mb(child.pid)
            memory = highest_mb(child.pid)
        numbers = (f"{one:.0f}" for one in (reading, drawing, memory, space))
        print(f"| {family} | {figure.stem} | {' | '.join(numbers)} |", flush=True)


@contextmanager
def watched(limits: Limits) -> Iterator[Watched]:
    child = Watched(limits)
    try:
        yield child
    finally:
        child.end()


def request_of(path: Path) -> dict[str, Any]:
    """Return the part common to all requests about the first page of a PDF."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"path": str(path), "sha256": digest, "media_type": "application/pdf", "number": 1}
