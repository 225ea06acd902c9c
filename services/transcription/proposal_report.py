"""Report on proposals in submitted work: outcomes by origin, and tasks with proposals compared to those without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.estimate import Estimate, ratio
from core.graphs.record import GraphRecord
from core.papers.pages import Box, part_of
from core.people import Permission, Viewer
from core.transcription.label_nodes import PrintedNames
from core.transcription.marks import Marks
from core.transcription.open_proposals import by_id, drawn_by_hand
from core.transcription.proposals import FigureKind, FigureProposals
from documents.reader import PROPOSALS_PRODUCER
from protocols.figures.tasks import NAME
from services.acting import ReadContext, consulting
from services.transcription import model_readings
from services.transcription.proposal_settings import DECISIONS, Decision
from store import assignments, history
from store import documents as derived
from store.assignments import HANDED_IN, TRANSCRIPTION
from store.graphs import graphs
from store.graphs import marks as stored_marks
from store.graphs.submitted_copies import firsts_of
from store.papers import papers
from store.runs import readings
from store.runs.readings import FigureAnswer
from store.tables import AssignmentRow

PROGRAM = ("vector", "raster", "ocr")
READERS = (*PROGRAM, "model")
MADE_BY_PROGRAM = "proposal"  # the origin of an edge that was accepted as proposed


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginRow:
    """Edges of one origin, in all tasks counted.

    Of a reader ("vector", "raster", "ocr", "model", or "vector+raster" where both agree), `proposed` is the sum of the
    six counts below it. Other origins (typed, pasted, drawn, …) have only the last two counts.
    """

    origin: str
    proposed: int = 0
    accepted: int = 0  # as proposed, and still in the graph
    corrected: int = 0  # accepted with another end or reversed, and still in the graph
    refused: int = 0
    unanswered: int = 0
    drawn_anyway: int = 0  # drawn by hand without an answer to the proposal
    added_by_hand: int = 0  # still in the graph
    removed_later: int = 0  # including those undone at once


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRow:
    """Tasks with proposals, by the kind of their figures and the readers that proposed edges there."""

    kind: FigureKind | None  # None: stored before figures had a kind
    origin: str  # as in OriginRow
    tasks: int
    declined: int  # tasks in whose figures no edge was proposed
    proposed: int
    accepted: int
    corrected: int
    refused: int
    missed: int  # edges of the graphs that nothing proposed


@dataclass(frozen=True, slots=True)
class GroupRow:
    """Tasks with the same decision about proposals: their figures and edges.

    `edges_per_task` is undefined without a task.
    """

    decision: Decision
    tasks: int
    figures: int
    edges: int
    added_by_hand: int
    edges_per_task: Estimate


@dataclass(frozen=True, slots=True)
class ProposalReport:
    """Rows per origin, kind of figure and decision. "shown" and "left out" were assigned at random: these compare."""

    origins: tuple[OriginRow, ...]
    kinds: tuple[KindRow, ...]
    groups: tuple[GroupRow, ...]


@dataclass(frozen=True, slots=True)
class _Task:
    row: AssignmentRow
    record: GraphRecord
    marks: Marks
    origins: Mapping[str, str]
    proposed: FigureProposals | None


def report(viewer: Viewer) -> ProposalReport:
    """Report on all submitted or accepted transcriptions, as they were first submitted; without drafts and training."""
    with consulting(viewer, Permission.REVIEW) as r:
        tasks = _tasks(r)
        counts = Counter[tuple[str, str]]()
        for task in tasks:
            counts.update(_proposals_of(task))
            counts.update(
                (origin, "added_by_hand" if edge_id in task.record.edges else "removed_later")
                for edge_id, origin in task.origins.items()
                if origin != MADE_BY_PROGRAM
            )
        decisions = (decision for decision in DECISIONS if decision != "training")
        groups = (_group(each, [task for task in tasks if task.row.proposals == each]) for each in decisions)
        return ProposalReport(_origins(counts), _kinds(tasks), tuple(groups))


def _tasks(r: ReadContext) -> list[_Task]:
    rows = assignments.assignments_in(r.session, TRANSCRIPTION, HANDED_IN)
    drawn = [row.graph_id for row in rows if row.graph_id is not None]
    firsts = firsts_of(r.session, drawn)
    ids = [firsts.get(graph_id, graph_id) for graph_id in drawn]
    records, marks = graphs.read_graphs(r.session, ids), stored_marks.read_all_marks(r.session, ids)
    stored = derived.newest_derived(r.session, PROPOSALS_PRODUCER)
    by_models = readings.of_figures(r.session, NAME)
    return [
        _Task(
            row,
            records[graph_id],
            marks[graph_id],
            _edges_made(r, row.graph_id or "", firsts),
            _proposals_shown(r, row, stored, by_models.get(row.subject_id, ())),
        )
        for row, graph_id in zip(rows, ids, strict=True)
    ]


def _edges_made(r: ReadContext, graph_id: str, firsts: Mapping[str, str]) -> dict[str, str]:
    """Return edge id → origin. Edges drawn before the review froze a copy have the ids of that copy."""
    if graph_id not in firsts:
        return history.edges_made(r.session, graph_id)
    (opening,) = history.graph_events(r.session, firsts[graph_id])
    before = history.edges_made(r.session, graph_id, until=opening.seq)
    frozen = history.rebuild(r.session, graph_id, until=opening.seq).edges
    return {key: origin for key, origin in before.items() if key not in frozen} | history.edges_made(
        r.session, firsts[graph_id]
    )


def _proposals_shown(
    r: ReadContext, row: AssignmentRow, stored: Mapping[tuple[str, str], Any], by_models: Sequence[FigureAnswer]
) -> FigureProposals | None:
    """Return what was proposed for a task's figure, with the models that had read it before submission.

    None if proposals were withheld, or the figure was not read at its current place.
    """
    if row.proposals != "shown":
        return None
    figure = assignments.figure(r.session, row.subject_id)
    sha256 = papers.paper(r.session, figure.paper_id).file_sha256
    box = Box(figure.x0, figure.y0, figure.x1, figure.y1)
    part = part_of(figure.page, box)
    content = stored.get((sha256 or "", part))
    if content is None:
        return None
    models = model_readings.chosen(r.session, by_models, sha256 or "", figure.page, part, row.submitted_at)
    return models.joined_to(FigureProposals.from_json(content), box)


def _proposals_of(task: _Task) -> Counter[tuple[str, str]]:
    """Count (origin, outcome) of each proposal: answered ones by their marks, the others by what was drawn."""
    counts = Counter[tuple[str, str]]()
    answered = task.marks.of("proposal")
    for value in answered.values():
        counts[value["origin"], _outcome(value)] += 1
    if task.proposed is not None:
        reading, by_hand = task.proposed, drawn_by_hand(task.record, task.marks)
        printed = PrintedNames(task.record, task.marks)
        nodes = [printed.node_of(label) for label in reading.names]
        for proposal_id, edge in by_id(reading).items():
            if proposal_id not in answered:
                source, sink = nodes[edge.source], nodes[edge.sink]
                is_drawn = source is not None and sink is not None and (source.id, sink.id) in by_hand
                counts[reading.origins_of(edge), "drawn_anyway" if is_drawn else "unanswered"] += 1
    return counts


def _outcome(value: Mapping[str, Any]) -> str:
    if value["answer"] == "accepted":
        # Its edge is in the graph, possibly as the twin it was folded into.
        return "corrected" if value.get("mended") else "accepted"
    return "removed_later" if value["edge"] else "refused"


def _origins(counts: Counter[tuple[str, str]]) -> tuple[OriginRow, ...]:
    """Return rows: the program's readers, models if any read, readers that agree, then other origins by name."""
    named = {origin for origin, _what in counts} - set(PROGRAM)
    others = sorted(named, key=lambda origin: (origin != "model", "+" not in origin, origin))
    rows = []
    for origin in (*PROGRAM, *others):
        outcomes = {outcome: counts[origin, outcome] for each, outcome in counts if each == origin}
        is_reader = origin in READERS or "+" in origin
        rows.append(OriginRow(origin=origin, proposed=sum(outcomes.values()) if is_reader else 0, **outcomes))
    return tuple(rows)


def _kinds(tasks: Sequence[_Task]) -> tuple[KindRow, ...]:
    counts: dict[tuple[FigureKind | None, str], Counter[str]] = {}
    for task in tasks:
        if (reading := task.proposed) is None:
            continue
        readers = dict.fromkeys(one for edge in reading.edges for one in reading.origins_of(edge).split("+"))
        row = counts.setdefault(
            (reading.kind, "+".join(sorted(readers, key=READERS.index)) or reading.origin), Counter()
        )
        outcomes = Counter[str]()
        for (_origin, outcome), count in _proposals_of(task).items():
            outcomes[outcome] += count
        by_hand = sum(edge.origin != MADE_BY_PROGRAM for edge in task.record.edges.values())
        row.update(outcomes, proposed=sum(outcomes.values()), tasks=1, declined=int(not reading.edges))
        row["missed"] += by_hand - outcomes["drawn_anyway"]
    order = sorted(counts, key=lambda key: (key[0] is None, key[0] or "", key[1]))
    columns = ("tasks", "declined", "proposed", "accepted", "corrected", "refused", "missed")
    return tuple(
        KindRow(kind=kind, origin=origin, **{name: counts[kind, origin][name] for name in columns})
        for kind, origin in order
    )


def _group(decision: Decision, tasks: Sequence[_Task]) -> GroupRow:
    edges = [edge for task in tasks for edge in task.record.edges.values()]
    return GroupRow(
        decision,
        len(tasks),
        len({task.row.subject_id for task in tasks}),
        len(edges),
        sum(edge.origin != MADE_BY_PROGRAM for edge in edges),
        ratio(len(edges), len(tasks), "no such transcription is submitted"),
    )
