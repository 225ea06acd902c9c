"""Draws in a study as fast as it can, until it is killed: python tests/soak/restore_kills.py STUDY HOME."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.people import Role
from services.people import access
from services.study import open_study, use_study
from services.transcription import transcribing
from store import milestones
from store.tables import FigureRow, PaperRow, new_id


def main() -> None:
    study = open_study(sys.argv[1], Path(sys.argv[2]))
    use_study(study)
    now = study.clock()
    with study.store.writing() as session:
        person = access.new_person(session, f"Annotator {new_id()}", [Role.ANNOTATOR], now)
        milestones.keep_milestone(session, person.id, milestones.TRAINING, 0, "terminal", now, {"how": "waived"})
        viewer = access.open_session(session, person, now).viewer
        paper = PaperRow(title=f"Paper {new_id()}", created_by="terminal", created_at=now)
        session.add(paper)
        session.flush()
        figure = FigureRow(paper_id=paper.id, page=1, x0=0, y0=0, x1=9, y1=9, created_by="terminal", created_at=now)
        session.add(figure)
    work = transcribing.take(viewer, figure.id, act_id=new_id()).subject_id
    print("ready", flush=True)
    for number in range(1_000_000):
        line = f"A{number} {'long name ' * 20}-> B{number % 20}"
        transcribing.add_lines(viewer, work, line, pasted=False, seen=number + 1, act_id=new_id())


if __name__ == "__main__":
    main()
