"""Kills a store's writer again and again and looks at what is left.

    python tests/soak/store_kills.py FOLDER KILLS SEED

A child is forked from this single-threaded process while no store is open. It draws through the services, tells
each act before it is done and each receipt after its commit on a pipe, and is killed with SIGKILL after 5-350 ms.
Then the store is opened again: every receipted act must be there, whole, and the one act in flight is sent again.
The last line printed is a JSON object of counts; `faults` lists everything that should not be.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sqlmodel import col, select

from core.errors import EdgewiseError
from core.people import Receipt, Role, Viewer
from services.people import access
from services.study import Study, open_study, use_study
from services.transcription import reading, transcribing
from store import history, milestones
from store.graphs import graphs
from store.tables import EventRow, FigureRow, PaperRow, new_id

FOLDER, KILLS, SEED = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
STORE = FOLDER / "killed.edgewise"
SHORTEST_S, LONGEST_S = 0.005, 0.350
KILLS_PER_FIGURE = 10  # so that no history grows so long that looking at it takes all the time
EDITS = history.EDIT_ACTS


@dataclass
class Counts:
    kills: int = 0
    receipted: int = 0
    lost: int = 0
    committed_unreceipted: int = 0
    replayed: int = 0
    duplicates: int = 0
    integrity_ok: int = 0
    refused: int = 0
    acts_by_kind: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def opened() -> Study:
    study = open_study(str(STORE), FOLDER)
    use_study(study)
    return study


def closed(study: Study) -> None:
    use_study(None)
    study.close()


def begin_study() -> Viewer:
    study = opened()
    with study.store.writing() as session:
        person = access.new_person(session, "The annotator", [Role.ANNOTATOR], study.clock())
        done = {"how": "waived"}  # figures open to them at once
        milestones.keep_milestone(session, person.id, milestones.TRAINING, 0, "terminal", study.clock(), done)
        viewer = access.open_session(session, person, study.clock()).viewer
    closed(study)
    return viewer


def begin_figure(viewer: Viewer) -> str:
    study = opened()
    now = study.clock()
    with study.store.writing() as session:
        paper = PaperRow(title="A paper", created_by="terminal", created_at=now)
        session.add(paper)
        session.flush()
        figure = FigureRow(paper_id=paper.id, page=1, x0=0, y0=0, x1=99, y1=99, created_by="terminal", created_at=now)
        session.add(figure)
    work = transcribing.take(viewer, figure.id, act_id=new_id()).subject_id
    closed(study)
    return work


# --- the child ---------------------------------------------------------------------------------------------------


def next_act(rng: Random, viewer: Viewer, work: str) -> dict[str, Any]:
    """What a person might do next, as plain values, so that it can be sent again from another process."""
    now = reading.transcription(viewer, work)
    act: dict[str, Any] = {"seen": now.version, "act_id": new_id()}
    edge_ids, names = list(now.record.edges), [node.name for node in now.record.nodes.values()]
    kinds = ["lines", "lines", "undo"] if now.can_undo else ["lines"]
    kinds += ["redo"] if now.can_redo else []
    kinds += ["sign", "sink", "rename", "remove edge"] if edge_ids else []
    kinds = ["remove node"] if len(edge_ids) > 25 else kinds
    kind = rng.choice(kinds)
    if kind == "lines":
        ends = [f"V{rng.randrange(12)}" for _ in range(6)]
        text = "\n".join(f"{a} -> {b} ({rng.choice('+-')})" for a, b in zip(ends[::2], ends[1::2], strict=True))
        act["text"] = text + (f"\nfaulty {act['act_id']}" if rng.random() < 0.1 else "")
    elif kind in ("rename", "remove node"):
        act |= {"node": rng.choice(names), "name": f"V{rng.randrange(12)}"}
    elif kind != "undo":
        act |= {"edge": rng.choice(edge_ids) if edge_ids else "", "name": f"V{rng.randrange(12)}"}
    return {"kind": kind, **act}


def do(viewer: Viewer, work: str, act: dict[str, Any]) -> Receipt:
    at: dict[str, Any] = {"seen": act["seen"], "act_id": act["act_id"]}
    match act["kind"]:
        case "lines":
            receipt = transcribing.add_lines(viewer, work, act["text"], pasted=True, **at).receipt
            assert receipt is not None
            return receipt
        case "undo":
            return transcribing.undo(viewer, work, **at)
        case "redo":
            return transcribing.redo(viewer, work, **at)
        case "sign":
            return transcribing.edit_edge(viewer, work, act["edge"], "sign", "", **at)
        case "sink":
            return transcribing.edit_edge(viewer, work, act["edge"], "sink", act["name"], **at)
        case "rename":
            return transcribing.rename_node(viewer, work, act["node"], act["name"], **at)
        case "remove node":
            return transcribing.remove_node(viewer, work, act["node"], **at)
        case _:
            return transcribing.remove_edge(viewer, work, act["edge"], **at)


def draw_until_killed(viewer: Viewer, work: str, seed: int, go: int, told: int) -> None:
    rng = Random(seed)
    opened()
    os.write(told, b'{"ready": true}\n')
    os.read(go, 1)
    while True:
        act = next_act(rng, viewer, work)
        os.write(told, json.dumps({"act": act}).encode() + b"\n")
        try:
            receipt = do(viewer, work, act)
        except EdgewiseError:
            os.write(told, json.dumps({"refused": act["act_id"]}).encode() + b"\n")
            continue
        os.write(told, json.dumps({"receipt": act["act_id"], "seq": receipt.seq}).encode() + b"\n")


def one_life(viewer: Viewer, work: str, seed: int, delay_s: float) -> list[dict[str, Any]]:
    """Fork a writer, let it work for `delay_s`, kill it; returns all it told, line by line."""
    go_out, go_in = os.pipe()
    told_out, told_in = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(go_in)
        os.close(told_out)
        draw_until_killed(viewer, work, seed, go_out, told_in)
    os.close(go_out)
    os.close(told_in)
    with os.fdopen(told_out, "rb") as told:
        assert json.loads(told.readline()) == {"ready": True}
        os.write(go_in, b"g")
        time.sleep(delay_s)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        lines = told.read().split(b"\n")
    os.close(go_in)
    return [json.loads(line) for line in lines[:-1]]  # what follows the last line feed is nothing or a torn line


# --- looking at what is left --------------------------------------------------------------------------------------


def look(counts: Counts, viewer: Viewer, work: str, told: list[dict[str, Any]], receipts: dict[str, int]) -> None:
    with sqlite3.connect(STORE) as raw:
        verdict = str(raw.execute("PRAGMA integrity_check").fetchone()[0])
        dangling = raw.execute("PRAGMA foreign_key_check").fetchall()
    raw.close()
    counts.integrity_ok += verdict == "ok" and not dangling
    study = opened()
    acts = [line["act"] for line in told if "act" in line]
    fresh = {line["receipt"]: line["seq"] for line in told if "receipt" in line}
    refused = {line["refused"] for line in told if "refused" in line}
    for act in acts:
        counts.acts_by_kind[act["kind"]] = counts.acts_by_kind.get(act["kind"], 0) + (act["act_id"] in fresh)
    receipts |= fresh
    counts.receipted += len(fresh)
    counts.refused += len(refused)
    with study.store.reading() as session:
        kept = dict(session.exec(select(EventRow.id, EventRow.seq).where(col(EventRow.id).in_(list(fresh)))).all())
    for act_id, seq in fresh.items():
        if kept.get(act_id) != seq:
            counts.lost += 1
            counts.faults.append(f"kill {counts.kills}: {act_id} was receipted and is not there")
    whole(counts, study, viewer, work)
    for act in acts:
        if act["act_id"] not in fresh and act["act_id"] not in refused:
            send_again(counts, study, viewer, work, act)
            whole(counts, study, viewer, work)
    closed(study)


def send_again(counts: Counts, study: Study, viewer: Viewer, work: str, act: dict[str, Any]) -> None:
    with study.store.reading() as session:
        was_kept = history.event_of(session, act["act_id"]) is not None
    counts.committed_unreceipted += was_kept
    counts.replayed += 1
    for attempt in (1, 2):
        try:
            receipt = do(viewer, work, act)
        except EdgewiseError as error:
            if was_kept:
                counts.faults.append(f"kill {counts.kills}: the kept act {act} was refused when sent again: {error}")
            return
        if receipt.is_repeat != (was_kept or attempt == 2):
            counts.duplicates += 1
            counts.faults.append(f"kill {counts.kills}: the act {act} was done twice")


def whole(counts: Counts, study: Study, viewer: Viewer, work: str) -> None:
    """Rows, history, version, layout and faulty lines tell the same story."""
    now = reading.transcription(viewer, work)
    with study.store.reading() as session:
        events = history.graph_events(session, now.graph_id)
        rebuilt = history.rebuild(session, now.graph_id)
        row = graphs.graph_row(session, now.graph_id)
        acts = [event.id for event in history.events_about(session, now.graph_id)]
    edits = [event for event in events if event.act in EDITS]
    kept_faults = {fault.text.removeprefix("faulty ") for fault in now.faults}
    for is_so, what in (
        (rebuilt == now.record, "the rows differ from the history"),
        (row.version == 1 + len(edits), f"version {row.version} after {len(edits)} edits"),
        (set(row.layout) == set(now.record.nodes), "the layout is of another state"),
        (len(acts) == len(set(acts)), "an act stands twice"),
        (kept_faults <= set(acts), "a faulty line was kept without its act"),
    ):
        if not is_so:
            counts.faults.append(f"kill {counts.kills}: {what}")


def main() -> None:
    rng = Random(SEED)
    counts, receipts = Counts(), dict[str, int]()
    viewer, work = begin_study(), ""
    for number in range(KILLS):
        if number % KILLS_PER_FIGURE == 0:
            work = begin_figure(viewer)
        counts.kills += 1
        told = one_life(viewer, work, rng.randrange(2**32), rng.uniform(SHORTEST_S, LONGEST_S))
        look(counts, viewer, work, told, receipts)
    study = opened()
    with study.store.reading() as session:
        kept = dict(session.exec(select(EventRow.id, EventRow.seq)).all())
    closed(study)
    gone = sum(kept.get(act_id) != seq for act_id, seq in receipts.items())
    if gone:
        counts.faults.append(f"{gone} receipted acts are gone at the end")
    counts.lost = max(counts.lost, gone)
    print(json.dumps(vars(counts)))


if __name__ == "__main__":
    main()
