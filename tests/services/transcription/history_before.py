"""A transcription of the version before, whose ids were made by the server, put into a study as it lay there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from core.graphs.record import Change, GraphRecord, edge_from_json, node_from_json
from core.people import Viewer
from core.transcription.marks import MarkChange
from services.study import Study
from services.transcription import transcribing
from store import history
from store.graphs import graphs
from store.graphs import marks as stored_marks
from store.tables import new_id

TOLD = Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def read() -> dict[str, Any]:
    """The recorded events and what they fold to, each time with other ids in the same places."""
    ids = {found: new_id() for found in sorted(set(UUID.findall(TOLD)))}
    told: dict[str, Any] = json.loads(UUID.sub(lambda found: ids[found[0]], TOLD))
    return told


def graph_of(told: dict[str, Any]) -> GraphRecord:
    """What the version before said that the events fold to."""
    nodes, edges = [node_from_json(each) for each in told["nodes"]], [edge_from_json(each) for each in told["edges"]]
    return GraphRecord({each.id: each for each in nodes}, {each.id: each for each in edges})


def put(study: Study, viewer: Viewer, figure: SimpleNamespace, told: dict[str, Any]) -> str:
    """Take the figure and have the recorded events in its history, its rows and marks; the transcription's id."""
    work = transcribing.take(viewer, figure.id, act_id=new_id()).subject_id
    graph_id = transcribing.transcription(viewer, work).graph_id
    with study.store.writing() as session:
        state, seqs = GraphRecord(), []
        for event in told["events"]:
            row = graphs.graph_row(session, graph_id, for_update=True)
            changes = [Change.from_json(change) for change in event["payload"]["changes"]]
            state = graphs.apply_changes(session, row, state, changes, row.version)
            marks = [MarkChange.from_json(change) for change in event["payload"].get("marks", ())]
            stored_marks.write_marks(session, graph_id, marks, viewer.person_id, study.clock())
            kept = history.record(
                session,
                history.Actor(viewer.person_id),
                event["act"],
                at=study.clock(),
                act_id=event["id"],
                subject_kind="graph",
                subject_id=graph_id,
                graph_id=graph_id,
                undoes=None if event["undoes"] is None else seqs[event["undoes"]],
                payload=event["payload"],
            )
            seqs.append(kept.seq)
    return work
