"""Graphs from texts as their author sees them: the open one, the list, and progress in numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from core.graphs.record import GraphRecord
from core.people import Permission, Viewer
from core.runs.human_answers import people_requested
from core.transcription.queue import OwnLine
from core.transcription.stored_fault import StoredFault
from services.acting import ReadContext, consulting
from services.queue.rights import drawing_right
from services.queue.work import OwnWork, get_own, list_own, own_state
from services.readings.samples import counts, names_given, requested_samples, terms_of
from services.readings.work_kind import TEXT_GRAPHS
from services.transcription.faulty_lines import stored_faults
from services.transcription.graph_cache import graph_after
from store import history
from store.graphs import graphs
from store.runs import human_answers, items, runs
from store.runs.human_answers import RequestedSample


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReading:
    """The user's graph of a text."""

    assignment_id: str
    title: str
    run: int
    variant: str
    text: str
    nodes: int  # of the true graph, which the task states
    given: tuple[str, ...]  # their names as they are typed, if the task gives them
    state: str  # current: open, submitted, skipped or lapsed
    is_editable: bool
    version: int  # of the graph
    record: GraphRecord
    can_undo: bool
    can_redo: bool
    saved_at: datetime | None
    faults: tuple[StoredFault, ...]

    @property
    def named(self) -> int:
        """Number of nodes with an edge; an answer has no others."""
        return len({end for edge in self.record.edges.values() for end in (edge.source_id, edge.sink_id)})

    @property
    def not_given(self) -> tuple[str, ...]:
        """Names of nodes that are not among the given names."""
        if not self.given:
            return ()
        return tuple(node.name for node in self.record.nodes.values() if node.name not in self.given)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLine(OwnLine):
    """A text that the user claimed; `state` as in `TextReading`."""

    title: str
    run: int
    names_given: bool
    edges: int


@dataclass(frozen=True, slots=True)
class HumanRunLine:
    """Progress of people with a run, in numbers of graphs."""

    wanted: int
    started: int
    submitted: int


def reading(viewer: Viewer, assignment_id: str) -> TextReading:
    """Return the user's graph of a text. Raises Missing, or Refused if it belongs to someone else."""
    with consulting(viewer, drawing_right(viewer)) as r:
        row = get_own(r, TEXT_GRAPHS, assignment_id)
        sample = human_answers.sample_of(r.session, row.subject_id)
        assert row.graph_id is not None, "it has a graph from its first moment"
        graph = graphs.graph_row(r.session, row.graph_id)
        last = history.last_edit(r.session, row.graph_id)
        state = own_state(r, row)
        is_editable = state == "open"
        return TextReading(
            assignment_id=row.id,
            title=sample.title,
            run=sample.run,
            variant=sample.variant,
            text=runs.texts(r.session, [sample.text]).get(sample.text, ""),
            nodes=len(items.sample_as_stored(r.session, sample.id).truth["nodes"]),
            given=tuple(names_given(r.session, sample)),
            state=state,
            is_editable=is_editable,
            version=graph.version,
            record=graph_after(r.session, row.graph_id, last),
            can_undo=is_editable and graph.undo_depth > 0,
            can_redo=is_editable and graph.redo_depth > 0,
            saved_at=last and last[1],
            faults=stored_faults(r.session, row) if is_editable else (),
        )


def my_readings(viewer: Viewer) -> tuple[ReadingLine, ...]:
    """Return the user's texts, newest first."""
    with consulting(viewer, drawing_right(viewer)) as r:
        own_work = list_own(r, TEXT_GRAPHS)
        sizes = graphs.count_elements(r.session, [row.graph_id for row, _state in own_work if row.graph_id])
        return tuple(_line(r, work, sizes) for work in own_work)


def people_asked(viewer: Viewer, run_id: str) -> HumanRunLine | None:
    """Return people's progress with a run; None if it asks nobody. Raises Missing if there is no such run."""
    with consulting(viewer, Permission.REVIEW) as r:
        if not people_requested(runs.run_row(r.session, run_id).settings):
            return None
        samples = [each for each in requested_samples(r.session) if each.run_id == run_id]
        if not samples:
            return None
        submitted, at_it = counts(r)
        return HumanRunLine(sum(each.wanted for each in samples), _sum(at_it, samples), _sum(submitted, samples))


def _line(r: ReadContext, work: OwnWork, sizes: dict[str, tuple[int, int]]) -> ReadingLine:
    row = work.row
    sample = human_answers.sample_of(r.session, row.subject_id)
    terms = terms_of(sample)
    return ReadingLine(
        assignment_id=row.id,
        title=sample.title,
        run=sample.run,
        names_given=terms is not None and sample.variant in terms.given_in,
        state=work.state,
        edges=sizes.get(row.graph_id or "", (0, 0))[1],
        claimed_at=row.claimed_at,
        submitted_at=row.submitted_at,
    )


def _sum(counts: dict[str, int], samples: Iterable[RequestedSample]) -> int:
    return sum(counts[each.id] for each in samples)
