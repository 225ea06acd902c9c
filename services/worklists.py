"""What waits for whom: a person's own transcriptions, figures to take, and work handed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.people import May, Viewer
from services.acting import Reading, consulting
from store import assignments, graphs, papers, people
from store.assignments import HANDED_IN, TRANSCRIPTION
from store.tables import AssignmentRow


@dataclass(frozen=True, slots=True)
class Work:
    """One line of a worklist. `assignment_id` is None for a figure the person has not begun; `is_counted` says
    whether the viewer may know how much was drawn."""

    assignment_id: str | None
    figure_id: str
    paper_title: str
    figure_label: str
    place: str
    state: str
    nodes: int
    edges: int
    comment: str
    annotator: str
    changed_at: datetime | None
    is_counted: bool = False


def my_work(viewer: Viewer) -> tuple[Work, ...]:
    """The viewer's own transcriptions: returned first, then open, then the rest."""
    order = {"returned": 0, "open": 1, "submitted": 2, "accepted": 3, "abandoned": 4}
    with consulting(viewer, May.TRANSCRIBE) as r:
        rows = assignments.assignments_of_person(r.session, TRANSCRIPTION, r.viewer.person_id)
        return tuple(sorted(_works(r, rows), key=lambda work: order[work.state]))


def figures_to_take(viewer: Viewer) -> tuple[Work, ...]:
    """Located figures the viewer has not begun, those with the fewest transcriptions first."""
    with consulting(viewer, May.TRANSCRIBE) as r:
        mine = {
            row.subject_id for row in assignments.assignments_of_person(r.session, TRANSCRIPTION, r.viewer.person_id)
        }
        taken = assignments.count_by_subject(r.session, TRANSCRIPTION, ("open", "submitted", "returned", "accepted"))
        free = [(f, p) for f, p in assignments.located_figures(r.session) if f.id not in mine]
        free.sort(key=lambda pair: taken.get(pair[0].id, 0))
        return tuple(Work(None, f.id, p.title, f.label, f.place, "new", 0, 0, "", "", None) for f, p in free)


def submitted_work(viewer: Viewer) -> tuple[Work, ...]:
    """Others' submitted, returned and accepted transcriptions; drafts stay with their annotators."""
    with consulting(viewer, May.REVIEW) as r:
        rows = assignments.assignments_in(r.session, TRANSCRIPTION, ("submitted", "returned", "accepted"))
        return _works(r, [row for row in rows if row.person_id != r.viewer.person_id])


def _works(r: Reading, rows: Sequence[AssignmentRow]) -> tuple[Work, ...]:
    counts = graphs.count_elements(r.session, [row.graph_id for row in rows if row.graph_id])
    names = people.names_of(r.session, [row.person_id for row in rows])
    works = []
    for row in rows:
        figure = assignments.figure(r.session, row.subject_id)
        paper = papers.paper(r.session, figure.paper_id)
        is_shown = row.person_id == r.viewer.person_id or row.state in HANDED_IN
        nodes, edges = counts.get(row.graph_id or "", (0, 0)) if is_shown else (0, 0)
        works.append(
            Work(
                row.id,
                figure.id,
                paper.title,
                figure.label,
                figure.place,
                row.state,
                nodes,
                edges,
                row.comment,
                names.get(row.person_id, ""),
                row.submitted_at or row.claimed_at,
                is_shown,
            )
        )
    return tuple(works)
