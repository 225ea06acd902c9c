"""Records of exposure to graphs in runs: people who saw the true graph of a text no longer build it from the text,
and those who saw a model's reading of a figure no longer transcribe it blind."""

from __future__ import annotations

from collections.abc import Iterable

from protocols import PROTOCOLS
from protocols.protocol import FigureTask, GraphTask
from services.acting import ReadContext
from store.runs import human_answers
from store.tables.runs import RunRow, RunSampleRow


def note_truths(r: ReadContext, rows: Iterable[RunRow]) -> None:
    """Record that the viewer exports these runs with the graphs in them; runs without graphs are skipped."""
    run_ids = [row.id for row in rows if _has_task(row.protocol, GraphTask, FigureTask)]
    for kind, subject_id in sorted(human_answers.subjects_of(r.session, run_ids)):
        if kind == "figure":
            r.record_exposure(subject_id)
        elif kind == "sample":
            r.record_exposure(subject_id, "sample")


def note_reading(r: ReadContext, protocol: str, sample: RunSampleRow) -> None:
    """Record that the viewer sees a model's reading of a figure; other items are skipped."""
    if sample.subject_kind == "figure" and sample.subject_id and _has_task(protocol, FigureTask):
        r.record_exposure(sample.subject_id)


def _has_task(protocol: str, *kinds: type[GraphTask] | type[FigureTask]) -> bool:
    return protocol in PROTOCOLS and any(isinstance(task, kinds) for task in PROTOCOLS[protocol].tasks)
