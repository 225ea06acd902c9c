"""Draws through the services until the disk is full, frees it, and goes on; counts what became of every act.

    python tests/soak/disk_full.py limit|disk FOLDER ROUNDS

`limit`: the kernel refuses to let a file grow (SQLite sees an I/O error); `disk`: FOLDER is on a small disk that is
filled up with ballast (SQLite sees "full"). The last line printed is a JSON object of counts.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import sqlite3
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sqlmodel import select

from core.errors import StoreUnavailable
from core.people import Role, Viewer
from services.people import access
from services.study import Study, open_study, use_study
from services.transcription import reading, transcribing
from store import history, milestones
from store.tables import EventRow, FigureRow, PaperRow, new_id

WAY, FOLDER, ROUNDS = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
ROOM = 400_000  # bytes until the disk is full
LONG_NAMES = 250  # characters, so that a round takes some dozen acts


@dataclass
class Counts:
    way: str
    rounds: int = 0
    acknowledged: int = 0
    refused: int = 0
    lost: int = 0
    twice: int = 0
    integrity: str = ""
    said: list[str] = field(default_factory=list)


def begin(study: Study) -> tuple[Viewer, list[str]]:
    """Somebody who may draw, and a transcription for each round: acts on one would take ever longer."""
    now = study.clock()
    with study.store.writing() as session:
        person = access.new_person(session, "The annotator", [Role.ANNOTATOR], now)
        milestones.keep_milestone(session, person.id, milestones.TRAINING, 0, "terminal", now, {"how": "waived"})
        viewer = access.open_session(session, person, now).viewer
        paper = PaperRow(title="A paper", created_by="terminal", created_at=now)
        session.add(paper)
        session.flush()
        figures = [
            FigureRow(paper_id=paper.id, page=1, x0=0, y0=0, x1=99, y1=99, created_by="terminal", created_at=now)
            for _round in range(ROUNDS)
        ]
        session.add_all(figures)
    return viewer, [transcribing.take(viewer, figure.id, act_id=new_id()).subject_id for figure in figures]


def fill() -> None:
    # The log begins anew at a checkpoint; in one that is long already, acts would find room for minutes.
    with sqlite3.connect(FOLDER / "full.edgewise") as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if WAY == "limit":
        largest = max(path.stat().st_size for path in FOLDER.glob("full.edgewise*"))
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest + ROOM, resource.RLIM_INFINITY))
        return
    with (FOLDER / "ballast").open("wb") as ballast:
        ballast.write(os.urandom(shutil.disk_usage(FOLDER).free - ROOM))


def free() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    (FOLDER / "ballast").unlink(missing_ok=True)


def one_round(counts: Counts, viewer: Viewer, work: str, acknowledged: list[str]) -> None:
    """Draw until an act is refused, free the disk, and send the same act again."""
    fill()
    try:
        while not draw(counts, viewer, work, acknowledged, refused := new_id()):
            pass
    finally:
        free()
    assert draw(counts, viewer, work, acknowledged, refused) is False, "refused although there is room again"
    counts.rounds += 1


def draw(counts: Counts, viewer: Viewer, work: str, acknowledged: list[str], act_id: str) -> bool:
    """One act; whether it was refused for want of room."""
    now = reading.transcription(viewer, work)
    name = f"{len(now.record.edges)} " + "x" * LONG_NAMES
    try:
        transcribing.add_lines(viewer, work, f"{name} -> Sink", pasted=False, seen=now.version, act_id=act_id)
    except StoreUnavailable as trouble:
        counts.refused += 1
        counts.said = sorted({*counts.said, str(trouble)})
        return True
    acknowledged.append(act_id)
    return False


def main() -> None:
    counts, acknowledged = Counts(WAY), list[str]()
    study = open_study(str(FOLDER / "full.edgewise"), FOLDER)
    use_study(study)
    viewer, works = begin(study)
    for work in works:
        one_round(counts, viewer, work, acknowledged)
    finals = [reading.transcription(viewer, work) for work in works]
    with study.store.reading() as session:
        kept = list(session.exec(select(EventRow.id).where(EventRow.act == "graph.edit")))
        for final in finals:
            assert history.rebuild(session, final.graph_id) == final.record
    study.close()
    counts.acknowledged = len(acknowledged)
    counts.lost = len(set(acknowledged) - set(kept))
    counts.twice = sum(len(final.record.edges) for final in finals) - len(acknowledged)
    with sqlite3.connect(FOLDER / "full.edgewise") as raw:
        counts.integrity = str(raw.execute("PRAGMA integrity_check").fetchone()[0])
    print(json.dumps(vars(counts)))


if __name__ == "__main__":
    main()
