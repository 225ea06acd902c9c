"""Worklists: a person's own transcriptions, free figures, and submitted work for reviewers."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.people import Permission, Viewer
from services.acting import ReadContext, consulting
from services.pseudonyms import unnamed_figures
from services.transcription import claims
from store import agreement, assignments, people, queue
from store.assignments import ADJUDICATION, DECLINED, EDITABLE, HANDED_IN, TRANSCRIPTION
from store.graphs import graphs
from store.tables import AssignmentRow

# The user's own work by state: returned work first, finished work last.
ORDER = {"returned": 0, "open": 1, "abandoned": 2, "submitted": 3, "declined": 4, "accepted": 5}


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItem:
    """One line of a worklist. The last four fields are set only for the viewer's own work."""

    assignment_id: str | None  # None for a figure that the person has not started
    figure_id: str
    paper_title: str
    figure_label: str
    place: str
    state: str
    nodes: int
    edges: int
    comment: str
    annotator: str  # empty where the viewer must not know it
    changed_at: datetime | None
    is_counted: bool = False  # the viewer may know how much was drawn
    expires_at: datetime | None = None  # end of the claim if nothing more is drawn
    ended: str = ""  # how an abandoned claim ended: "lapsed" or "freed"
    verdict: str = ""  # with its reason, if it was declined
    can_resume: bool = False  # it was abandoned and a place is free


@dataclass(frozen=True, slots=True)
class NextWork:
    """A person's next task, and the number of figures free for them."""

    verb: str  # "Correct" or "Continue" for their own unfinished work, "Take" for the next figure of the queue
    work: WorkItem | None  # None if there is nothing
    free: int


@dataclass(frozen=True, slots=True)
class OwnLists:
    """The viewer's own work, and the figures that are free for them."""

    mine: tuple[WorkItem, ...]
    free: tuple[WorkItem, ...]

    @property
    def next(self) -> NextWork:
        """The viewer's next task: returned or open work, otherwise the next figure of the queue."""
        for work in self.mine:
            if work.state in EDITABLE:
                return NextWork("Correct" if work.state == "returned" else "Continue", work, len(self.free))
        return NextWork("Take", self.free[0] if self.free else None, len(self.free))


def own_lists(viewer: Viewer) -> OwnLists:
    """Return the viewer's own transcriptions (returned, open, expired, the rest), and free figures in queue order."""
    with consulting(viewer, Permission.TRANSCRIBE) as r:
        rows = assignments.assignments_of_person(r.session, TRANSCRIPTION, r.viewer.person_id)
        places, known = claims.places(r), claims.known_to(r, r.viewer.person_id)
        free = claims.free_figures(places, known, r.viewer.person_id)
        return OwnLists(_in_order(_own(r, rows, places, known)) if rows else (), tuple(map(_new_item, free)))


def own_unfinished(
    r: ReadContext, places: Sequence[claims.QueuedFigure], known: Container[str], most: int
) -> tuple[tuple[WorkItem, ...], int]:
    """Return the first `most` of the viewer's transcriptions that can be continued, and their total number.

    These are returned or open ones, and expired ones where a place is free.
    """
    own = assignments.unfinished_of_person(r.session, TRANSCRIPTION, r.viewer.person_id)
    states = {each.claim.id: each.state for place in places for each in place.held}
    now = [(ORDER[state], row.id, row.subject_id) for row in own for state in [states.get(row.id, row.state)]]
    expired = ORDER["abandoned"]
    free = _open_figures(places, known)
    resumable = [each for each in now if each[0] < expired or each[2] in free]
    resumable.sort(key=lambda each: each[0])  # stable: within a state in the order of the claims
    rows = [assignments.assignment(r.session, work_id) for _place, work_id, _figure in resumable[:most]]
    return _in_order(_own(r, rows, places, known)), len(resumable)


def _in_order(works: Iterable[WorkItem]) -> tuple[WorkItem, ...]:
    return tuple(sorted(works, key=lambda work: ORDER[work.state]))


def _open_figures(places: Sequence[claims.QueuedFigure], known: Container[str]) -> set[str]:
    """Return the figures where someone who knows the figures in `known` could get a place again."""
    return {place.figure.id for place in places if place.state.free and place.figure.id not in known}


def submitted_work(viewer: Viewer) -> tuple[WorkItem, ...]:
    """Return others' submitted, returned and accepted transcriptions.

    Figures that the viewer is transcribing or ruling on are left out until that is done.
    """
    with consulting(viewer, Permission.REVIEW) as r:
        rows = assignments.assignments_in(r.session, TRANSCRIPTION, ("submitted", "returned", "accepted"))
        at_work = agreement.figures_in_hand(r.session, r.viewer.person_id, (TRANSCRIPTION, ADJUDICATION))
        return _works(r, [row for row in rows if row.person_id != r.viewer.person_id and row.subject_id not in at_work])


def _new_item(place: claims.QueuedFigure) -> WorkItem:
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
    r: ReadContext, rows: Sequence[AssignmentRow], places: Sequence[claims.QueuedFigure], known: Container[str]
) -> list[WorkItem]:
    states = {each.claim.id: each for place in places for each in place.held}
    open_figures = _open_figures(places, known)
    ended = queue.ends_of(r.session, [row.id for row in rows])
    works = []
    for row, work in zip(rows, _works(r, rows), strict=True):
        now = states.get(row.id)
        state = now.state if now is not None else row.state
        is_over = state == "abandoned"
        works.append(
            replace(
                work,
                state=state,
                expires_at=now.expires_at if now is not None and not is_over else None,
                verdict=f"{row.verdict}: {row.reason}" if row.state == DECLINED else "",
                ended=""
                if not is_over
                else "freed"
                if row.state == state and ended.get(row.id) == "queue.free"
                else "lapsed",
                can_resume=is_over and work.figure_id in open_figures,
            )
        )
    return works


def _works(r: ReadContext, rows: Sequence[AssignmentRow]) -> tuple[WorkItem, ...]:
    counts = graphs.count_elements(r.session, [row.graph_id for row in rows if row.graph_id])
    names = people.names_of(r.session, [row.person_id for row in rows])
    subjects = assignments.subjects_of(r.session, [row.subject_id for row in rows])
    unnamed = unnamed_figures(r, subjects)
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
                annotator="" if row.subject_id in unnamed else names.get(row.person_id, ""),
                changed_at=row.submitted_at or row.claimed_at,
                is_counted=is_shown,
            )
        )
    return tuple(works)
