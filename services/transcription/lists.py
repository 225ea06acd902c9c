"""What waits for whom: a person's own transcriptions, figures to take, and work handed in."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.people import May, Viewer
from services.acting import Reading, consulting
from services.transcription import claims
from store import agreement, assignments, people, queue
from store.assignments import ADJUDICATION, DECLINED, EDITABLE, HANDED_IN, TRANSCRIPTION
from store.graphs import graphs
from store.tables import AssignmentRow

ORDER = {"returned": 0, "open": 1, "abandoned": 2, "submitted": 3, "declined": 4, "accepted": 5}
"""Of one's own work by its state: what came back first, what is done last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItem:
    """One line of a worklist. `assignment_id` is None for a figure the person has not begun; `is_counted` says
    whether the viewer may know how much was drawn.

    Of one's own: `expires_at` is when the claim ends if nothing more is drawn; `ended` says how an abandoned one ended
    ("lapsed" or "freed"), `verdict` with its reason why it was declined, and `can_resume` whether a place is free to
    go on.
    """

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
    expires_at: datetime | None = None
    ended: str = ""
    verdict: str = ""
    can_resume: bool = False


@dataclass(frozen=True, slots=True)
class NextWork:
    """What a person should do first, and how many figures they may take besides; `work` is None if there is nothing.

    `verb`: "Correct" or "Continue" for their own unfinished work, "Take" for the figure that the queue gives them.
    """

    verb: str
    work: WorkItem | None
    free: int


@dataclass(frozen=True, slots=True)
class OwnLists:
    """What is somebody's own, and what they may take."""

    mine: tuple[WorkItem, ...]
    free: tuple[WorkItem, ...]

    @property
    def next(self) -> NextWork:
        """The one thing to go on with: what came back, what is open, else what the queue hands out next."""
        for work in self.mine:
            if work.state in EDITABLE:
                return NextWork("Correct" if work.state == "returned" else "Continue", work, len(self.free))
        return NextWork("Take", self.free[0] if self.free else None, len(self.free))


def own_lists(viewer: Viewer) -> OwnLists:
    """The viewer's own transcriptions: returned first, then open, then what ended by itself, then the rest; and figures
    with a place free for them, in the order in which the queue hands them out."""
    with consulting(viewer, May.TRANSCRIBE) as r:
        rows = assignments.assignments_of_person(r.session, TRANSCRIPTION, r.viewer.person_id)
        found, known = claims.places(r), claims.known_to(r, r.viewer.person_id)
        free = claims.free_figures(found, known, r.viewer.person_id)
        return OwnLists(_in_order(_own(r, rows, found, known)) if rows else (), tuple(map(_to_take, free)))


def own_unfinished(
    r: Reading, found: Sequence[claims.QueuedFigure], known: Container[str], most: int
) -> tuple[tuple[WorkItem, ...], int]:
    """The first of the viewer's transcriptions that they can go on with, and how many there are: what came back, what
    is open, and what ended by itself where a place is free. `found`: `claims.places(r)`; `known`: `claims.known_to` the
    viewer."""
    own = assignments.unfinished_of_person(r.session, TRANSCRIPTION, r.viewer.person_id)
    held = {each.claim.id: each.state for place in found for each in place.held}
    now = [(ORDER[state], row.id, row.subject_id) for row in own for state in [held.get(row.id, row.state)]]
    lapsed = ORDER["abandoned"]
    free = _open_figures(found, known)
    going_on = [each for each in now if each[0] < lapsed or each[2] in free]
    going_on.sort(key=lambda each: each[0])  # stable: otherwise as they were taken
    rows = [assignments.assignment(r.session, work_id) for _place, work_id, _figure in going_on[:most]]
    return _in_order(_own(r, rows, found, known)), len(going_on)


def _in_order(works: Iterable[WorkItem]) -> tuple[WorkItem, ...]:
    return tuple(sorted(works, key=lambda work: ORDER[work.state]))


def _open_figures(found: Sequence[claims.QueuedFigure], known: Container[str]) -> set[str]:
    """Figures at which somebody who knows of these would be given a place again."""
    return {place.figure.id for place in found if place.standing.free and place.figure.id not in known}


def submitted_work(viewer: Viewer) -> tuple[WorkItem, ...]:
    """Others' submitted, returned and accepted transcriptions; drafts stay with their annotators.

    Those of a figure that the viewer is drawing, or ruling on, are left out until that is done.
    """
    with consulting(viewer, May.REVIEW) as r:
        rows = assignments.assignments_in(r.session, TRANSCRIPTION, ("submitted", "returned", "accepted"))
        at_work = agreement.figures_in_hand(r.session, r.viewer.person_id, (TRANSCRIPTION, ADJUDICATION))
        return _works(r, [row for row in rows if row.person_id != r.viewer.person_id and row.subject_id not in at_work])


def _to_take(place: claims.QueuedFigure) -> WorkItem:
    figure = place.figure
    return WorkItem(
        assignment_id=None,
        figure_id=figure.id,
        paper_title=figure.paper_title,
        figure_label=figure.label,
        place=figure.place,
        state="new",
        nodes=0,
        edges=0,
        comment="",
        annotator="",
        changed_at=None,
    )


def _own(
    r: Reading, rows: Sequence[AssignmentRow], found: Sequence[claims.QueuedFigure], known: Container[str]
) -> list[WorkItem]:
    """These of the viewer's own, as they stand at this moment."""
    held = {each.claim.id: each for place in found for each in place.held}
    open_figures = _open_figures(found, known)
    ended = queue.ends_of(r.session, [row.id for row in rows])
    works = []
    for row, work in zip(rows, _works(r, rows), strict=True):
        now = held.get(row.id)
        state = now.state if now is not None else row.state
        is_over = state == "abandoned"
        works.append(
            replace(
                work,
                state=state,
                expires_at=now.expires_at if now is not None and not is_over else None,
                verdict=f"{row.verdict}: {row.reason}" if row.state == DECLINED else "",
                ended="" if not is_over else "freed" if row.state == state and _was_freed(ended, row) else "lapsed",
                can_resume=is_over and work.figure_id in open_figures,
            )
        )
    return works


def _was_freed(ended: dict[str, str], row: AssignmentRow) -> bool:
    return ended.get(row.id) == "queue.free"


def _works(r: Reading, rows: Sequence[AssignmentRow]) -> tuple[WorkItem, ...]:
    counts = graphs.count_elements(r.session, [row.graph_id for row in rows if row.graph_id])
    names = people.names_of(r.session, [row.person_id for row in rows])
    subjects = assignments.subjects_of(r.session, [row.subject_id for row in rows])
    works = []
    for row in rows:
        figure, paper = subjects[row.subject_id]
        is_shown = row.person_id == r.viewer.person_id or row.state in HANDED_IN
        nodes, edges = counts.get(row.graph_id or "", (0, 0)) if is_shown else (0, 0)
        works.append(
            WorkItem(
                assignment_id=row.id,
                figure_id=figure.id,
                paper_title=paper.title,
                figure_label=figure.label,
                place=figure.place,
                state=row.state,
                nodes=nodes,
                edges=edges,
                comment=row.comment,
                annotator=names.get(row.person_id, ""),
                changed_at=row.submitted_at or row.claimed_at,
                is_counted=is_shown,
            )
        )
    return tuple(works)
