"""Exposures to graphs in runs: the true graphs of texts, which nobody who saw them builds from the text afterwards, and
models' readings of figures, which nobody who saw them draws blind."""

from __future__ import annotations

from collections.abc import Iterable

from protocols import PROTOCOLS
from protocols.protocol import FigureTask, GraphTask
from services.acting import Reading
from store.runs import by_people
from store.tables.runs import RunRow, RunSampleRow


def note_truths(r: Reading, rows: Iterable[RunRow]) -> None:
    """Note that the viewer takes away these runs with the graphs that are in them; other runs have none."""
    asked = [row.id for row in rows if _has_task(row.protocol, GraphTask, FigureTask)]
    for kind, subject_id in sorted(by_people.subjects_of(r.session, asked)):
        if kind == "figure":
            r.look_at(subject_id)
        elif kind == "sample":
            r.look_at(subject_id, "sample")


def note_reading(r: Reading, protocol: str, sample: RunSampleRow) -> None:
    """Note that the viewer sees what a model read in a figure; nothing of another item."""
    if sample.subject_kind == "figure" and sample.subject_id and _has_task(protocol, FigureTask):
        r.look_at(sample.subject_id)


def _has_task(protocol: str, *kinds: type[GraphTask] | type[FigureTask]) -> bool:
    return protocol in PROTOCOLS and any(isinstance(task, kinds) for task in PROTOCOLS[protocol].tasks)
