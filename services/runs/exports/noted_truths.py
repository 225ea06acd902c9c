"""Whoever takes a run away takes the graphs that are true of its samples: they build none of these from its text."""

from __future__ import annotations

from collections.abc import Iterable

from protocols import PROTOCOLS
from protocols.protocol import GraphTask
from services.acting import Reading
from store.runs import by_people
from store.tables.runs import RunRow


def note_truths(r: Reading, rows: Iterable[RunRow]) -> None:
    """Note that the viewer has seen the true graphs of these runs; other runs have none."""
    asked = [row.id for row in rows if _asks_for_graphs(row.protocol)]
    for kind, subject_id in sorted(by_people.subjects_of(r.session, asked)):
        if kind == "figure":
            r.look_at(subject_id)
        elif kind == "sample":
            r.look_at(subject_id, "sample")


def _asks_for_graphs(protocol: str) -> bool:
    return protocol in PROTOCOLS and any(isinstance(task, GraphTask) for task in PROTOCOLS[protocol].tasks)
