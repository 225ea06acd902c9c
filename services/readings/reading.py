"""What a person sees of the graphs they build from texts: the one on the desk, their list, and the queue in numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from core.errors import Missing, Refused
from core.graphs.record import GraphRecord
from core.people import May, Viewer
from core.runs.by_people import people_wanted
from services.acting import Reading, consulting
from services.queue.claim_expiry import state_now
from services.queue.rights import drawing_right
from services.readings import claims
from services.transcription.drawn_lately import graph_after
from services.transcription.faulty_lines import KeptFault, kept_faults
from store import assignments, history
from store.assignments import EDITABLE, HANDED_IN, READING
from store.graphs import graphs
from store.runs import by_people, items, runs
from store.runs.by_people import WantedSample
from store.tables import AssignmentRow


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReading:
    """One's own graph of a text. `nodes`: how many the true graph has, which is told; `given`: their names, as they are
    typed, where these are told too. `state`: open, submitted, skipped or lapsed, as it is at this moment; `version`: of
    the graph."""

    assignment_id: str
    title: str
    run: int
    variant: str
    text: str
    nodes: int
    given: tuple[str, ...]
    state: str
    is_editable: bool
    version: int
    record: GraphRecord
    can_undo: bool
    can_redo: bool
    saved_at: datetime | None
    faults: tuple[KeptFault, ...]

    @property
    def named(self) -> int:
        """How many nodes have an edge: an answer holds no others."""
        return len({end for edge in self.record.edges.values() for end in (edge.source_id, edge.sink_id)})

    @property
    def not_given(self) -> tuple[str, ...]:
        """Names of nodes that are not among the given ones."""
        if not self.given:
            return ()
        return tuple(node.name for node in self.record.nodes.values() if node.name not in self.given)


@dataclass(frozen=True, slots=True)
class ReadingQueue:
    """One's own queue in numbers: begun, free to take, and submitted."""

    unfinished: int
    free: int
    submitted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLine:
    """One text that somebody took; `state` as in `TextReading`."""

    assignment_id: str
    title: str
    run: int
    names_given: bool
    state: str
    edges: int
    claimed_at: datetime
    submitted_at: datetime | None


@dataclass(frozen=True, slots=True)
class PeopleAsked:
    """How far people are with a run: graphs wanted, begun, and submitted."""

    wanted: int
    begun: int
    submitted: int


def reading(viewer: Viewer, assignment_id: str) -> TextReading:
    """One's own graph of a text, without anybody else's. Raises Missing, or Refused for somebody else's."""
    with consulting(viewer, drawing_right(viewer)) as r:
        row = own(r, assignment_id)
        sample = by_people.sample_of(r.session, row.subject_id)
        assert row.graph_id is not None, "it has a graph from its first moment"
        graph = graphs.graph_row(r.session, row.graph_id)
        last = history.last_edit(r.session, row.graph_id)
        state = state_of(r, row)
        is_editable = state == "open"
        return TextReading(
            assignment_id=row.id,
            title=sample.title,
            run=sample.run,
            variant=sample.variant,
            text=runs.texts(r.session, [sample.text]).get(sample.text, ""),
            nodes=len(items.kept_sample(r.session, sample.id).truth["nodes"]),
            given=tuple(claims.names_given(r.session, sample)),
            state=state,
            is_editable=is_editable,
            version=graph.version,
            record=graph_after(r.session, row.graph_id, last),
            can_undo=is_editable and graph.undo_depth > 0,
            can_redo=is_editable and graph.redo_depth > 0,
            saved_at=last and last[1],
            faults=kept_faults(r.session, row) if is_editable else (),
        )


def waiting(viewer: Viewer) -> ReadingQueue:
    """One's own queue in numbers."""
    with consulting(viewer, drawing_right(viewer)) as r:
        return waiting_in(r)


def waiting_in(r: Reading) -> ReadingQueue:
    """The same inside a caller's session."""
    mine = assignments.assignments_of_person(r.session, READING, r.viewer.person_id)
    states = [state_of(r, row) for row in mine]
    return ReadingQueue(states.count("open"), len(claims.open_to(r, r.viewer.person_id)), states.count("submitted"))


def my_readings(viewer: Viewer) -> tuple[ReadingLine, ...]:
    """Every text one took, the newest first."""
    with consulting(viewer, drawing_right(viewer)) as r:
        mine = assignments.assignments_of_person(r.session, READING, r.viewer.person_id)
        sizes = graphs.count_elements(r.session, [row.graph_id for row in mine if row.graph_id])
        return tuple(_line(r, row, sizes) for row in reversed(mine))


def people_asked(viewer: Viewer, run_id: str) -> PeopleAsked | None:
    """How far people are with a run; None for one that asks nobody. Raises Missing if there is no such run."""
    with consulting(viewer, May.REVIEW) as r:
        if not people_wanted(runs.run_row(r.session, run_id).settings):
            return None
        asked = [each for each in claims.wanted(r.session) if each.run_id == run_id]
        if not asked:
            return None
        handed_in, at_it = claims.counts(r)
        return PeopleAsked(sum(each.wanted for each in asked), _sum(at_it, asked), _sum(handed_in, asked))


def own(r: Reading, assignment_id: str) -> AssignmentRow:
    """One's own graph of a text, inside a caller's session. Raises Missing, or Refused for somebody else's."""
    row = r.session.get(AssignmentRow, assignment_id)
    if row is None or row.kind != READING:
        raise Missing("No such text has been assigned.")
    if row.person_id != r.viewer.person_id:
        raise Refused("This graph belongs to someone else and stays hidden.")
    return row


def state_of(r: Reading, row: AssignmentRow) -> str:
    """A claim that lapsed keeps its end; one that was skipped has none."""
    state = state_now(r.session, row, r.now)
    if state == "abandoned":
        return "skipped" if row.expires_at is None else "lapsed"
    return "open" if state in EDITABLE else "submitted"


def _line(r: Reading, row: AssignmentRow, sizes: dict[str, tuple[int, int]]) -> ReadingLine:
    sample = by_people.sample_of(r.session, row.subject_id)
    terms = claims.terms_of(sample)
    return ReadingLine(
        assignment_id=row.id,
        title=sample.title,
        run=sample.run,
        names_given=terms is not None and sample.variant in terms.given_in,
        state=state_of(r, row),
        edges=sizes.get(row.graph_id or "", (0, 0))[1],
        claimed_at=row.claimed_at,
        submitted_at=row.submitted_at if row.state in HANDED_IN else None,
    )


def _sum(counts: dict[str, int], samples: Iterable[WantedSample]) -> int:
    return sum(counts[each.id] for each in samples)
