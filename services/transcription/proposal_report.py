"""What became of proposals in the work submitted: by origin, and tasks with proposals beside those without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.estimate import Estimate, ratio
from core.graphs.record import GraphRecord
from core.papers.pages import Box, part_of
from core.people import May, Viewer
from core.transcription.marks import Marks
from core.transcription.open_proposals import by_id, drawn_by_hand
from core.transcription.printed import PrintedNames
from core.transcription.proposals import FigureKind, FigureProposals
from documents.reader import PROPOSALS_PRODUCER
from protocols.figures.tasks import NAME
from services.acting import Reading, consulting
from services.transcription import model_readings
from services.transcription.proposal_settings import DECISIONS, Decision
from store import assignments, history
from store import documents as derived
from store.assignments import HANDED_IN, TRANSCRIPTION
from store.graphs import graphs
from store.graphs import marks as stored_marks
from store.graphs.firsts import firsts_of
from store.papers import papers
from store.runs import readings
from store.runs.readings import FigureAnswer
from store.tables import AssignmentRow

PROGRAM = ("vector", "raster", "ocr")
READERS = (*PROGRAM, "model")
MADE_BY_PROGRAM = "proposal"  # the origin of an edge that was accepted as proposed


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginRow:
    """Arrows of one origin, in all tasks counted.

    Readers ("vector", "raster", "ocr", "model", and "vector+raster" for what both propose): `proposed` = accepted and
    still there, as proposed or `mended` (another end, or turned) + removed later + refused + drawn by hand without an
    answer + unanswered. Any other (typed, pasted, drawn, …): `added_by_hand` still stand, `removed_later` do not, those
    undone at once among them.
    """

    origin: str
    proposed: int = 0
    accepted: int = 0
    mended: int = 0
    refused: int = 0
    unanswered: int = 0
    drawn_anyway: int = 0
    added_by_hand: int = 0
    removed_later: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRow:
    """Tasks with proposals whose figures were taken for one `kind` (None: stored before figures had one) by the same
    readers, `origin` as in OriginRow. `declined` are the tasks in whose figures no edge was proposed. `proposed` are
    those of OriginRow; `missed` are edges that stand and that nobody proposed."""

    kind: FigureKind | None
    origin: str
    tasks: int
    declined: int
    proposed: int
    accepted: int
    mended: int
    refused: int
    missed: int


@dataclass(frozen=True, slots=True)
class GroupRow:
    """Tasks for which the same was decided: of how many figures, the edges that stand in them and those among them
    that a person added by hand; `edges_per_task` is undefined without a task."""

    decision: Decision
    tasks: int
    figures: int
    edges: int
    added_by_hand: int
    edges_per_task: Estimate


@dataclass(frozen=True, slots=True)
class ProposalReport:
    """Rows per origin, per kind of figure and per decision. "shown" and "left out" were divided by lot, so these two
    compare."""

    origins: tuple[OriginRow, ...]
    kinds: tuple[KindRow, ...]
    groups: tuple[GroupRow, ...]


@dataclass(frozen=True, slots=True)
class _Task:
    row: AssignmentRow
    record: GraphRecord
    marks: Marks
    made: Mapping[str, str]
    proposed: FigureProposals | None


def report(viewer: Viewer) -> ProposalReport:
    """Counted over all transcriptions that are submitted or accepted, as they were first submitted; drafts and
    training stay out."""
    with consulting(viewer, May.REVIEW) as r:
        tasks = _tasks(r)
        counts = Counter[tuple[str, str]]()
        for task in tasks:
            counts.update(_proposals_of(task))
            counts.update(_by_hand(task))
        return ProposalReport(_origins(counts), _kinds(tasks), _groups(tasks))


def _tasks(r: Reading) -> list[_Task]:
    rows = assignments.assignments_in(r.session, TRANSCRIPTION, HANDED_IN)
    drawn = [row.graph_id for row in rows if row.graph_id is not None]
    firsts = firsts_of(r.session, drawn)
    ids = [firsts.get(graph_id, graph_id) for graph_id in drawn]
    records, marks = graphs.read_graphs(r.session, ids), stored_marks.read_all_marks(r.session, ids)
    kept = derived.newest_derived(r.session, PROPOSALS_PRODUCER)
    by_models = readings.of_figures(r.session, NAME)
    return [
        _Task(
            row,
            records[graph_id],
            marks[graph_id],
            _made(r, row.graph_id or "", firsts),
            _found(r, row, kept, by_models.get(row.subject_id, ())),
        )
        for row, graph_id in zip(rows, ids, strict=True)
    ]


def _made(r: Reading, graph_id: str, firsts: Mapping[str, str]) -> dict[str, str]:
    """Edges that were drawn before the first state was kept, by the ids of that state where they still stand in it."""
    if graph_id not in firsts:
        return history.edges_made(r.session, graph_id)
    (kept,) = history.graph_events(r.session, firsts[graph_id])
    before = history.edges_made(r.session, graph_id, until=kept.seq)
    stood = history.rebuild(r.session, graph_id, until=kept.seq).edges
    return {key: origin for key, origin in before.items() if key not in stood} | history.edges_made(
        r.session, firsts[graph_id]
    )


def _found(
    r: Reading, row: AssignmentRow, kept: Mapping[tuple[str, str], Any], by_models: Sequence[FigureAnswer]
) -> FigureProposals | None:
    """What was proposed for a task's figure, by models if they had read it before it was submitted; None if arrows were
    withheld, or nobody has looked at it where it is."""
    if row.proposals != "shown":
        return None
    figure = assignments.figure(r.session, row.subject_id)
    sha256 = papers.paper(r.session, figure.paper_id).file_sha256
    box = Box(figure.x0, figure.y0, figure.x1, figure.y1)
    part = part_of(figure.page, box)
    content = kept.get((sha256 or "", part))
    if content is None:
        return None
    beside = model_readings.chosen(r.session, by_models, sha256 or "", figure.page, part, row.submitted_at)
    return beside.beside(FigureProposals.from_json(content), box)


def _proposals_of(task: _Task) -> Counter[tuple[str, str]]:
    """(origin, what became of it) of each arrow: of those answered by their marks, and of those found and not."""
    counts = Counter[tuple[str, str]]()
    answered = task.marks.of("proposal")
    for value in answered.values():
        counts[value["origin"], _fate(value)] += 1
    if task.proposed is not None:
        found, by_hand = task.proposed, drawn_by_hand(task.record, task.marks)
        printed = PrintedNames(task.record, task.marks)
        nodes = [printed.node_of(label) for label in found.names]
        for proposal_id, edge in by_id(found).items():
            if proposal_id not in answered:
                source, sink = nodes[edge.source], nodes[edge.sink]
                is_drawn = source is not None and sink is not None and (source.id, sink.id) in by_hand
                counts[found.origins_of(edge), "drawn_anyway" if is_drawn else "unanswered"] += 1
    return counts


def _fate(value: Mapping[str, Any]) -> str:
    if value["answer"] == "accepted":
        # its edge stands, or lives on as the twin it was folded into
        return "mended" if value.get("mended") else "accepted"
    return "removed_later" if value["edge"] else "refused"


def _by_hand(task: _Task) -> Counter[tuple[str, str]]:
    return Counter(
        (origin, "added_by_hand" if edge_id in task.record.edges else "removed_later")
        for edge_id, origin in task.made.items()
        if origin != MADE_BY_PROGRAM
    )


def _origins(counts: Counter[tuple[str, str]]) -> tuple[OriginRow, ...]:
    """The program's readers first, models where any read, then those who agree, then hands by name."""
    found = {origin for origin, _what in counts} - set(PROGRAM)
    others = sorted(found, key=lambda origin: (origin != "model", "+" not in origin, origin))
    rows = []
    for origin in (*PROGRAM, *others):
        fates = {fate: counts[origin, fate] for each, fate in counts if each == origin}
        is_reader = origin in READERS or "+" in origin
        rows.append(OriginRow(origin=origin, proposed=sum(fates.values()) if is_reader else 0, **fates))
    return tuple(rows)


def _kinds(tasks: Sequence[_Task]) -> tuple[KindRow, ...]:
    """By kind, figures read before these had one last, then by readers."""
    counts: dict[tuple[FigureKind | None, str], Counter[str]] = {}
    for task in tasks:
        if (found := task.proposed) is None:
            continue
        readers = dict.fromkeys(one for edge in found.edges for one in found.origins_of(edge).split("+"))
        row = counts.setdefault((found.kind, "+".join(sorted(readers, key=READERS.index)) or found.origin), Counter())
        fates = Counter[str]()
        for (_origin, fate), count in _proposals_of(task).items():
            fates[fate] += count
        by_hand = sum(edge.origin != MADE_BY_PROGRAM for edge in task.record.edges.values())
        row.update(fates, proposed=sum(fates.values()), tasks=1, declined=int(not found.edges))
        row["missed"] += by_hand - fates["drawn_anyway"]
    order = sorted(counts, key=lambda key: (key[0] is None, key[0] or "", key[1]))
    columns = ("tasks", "declined", "proposed", "accepted", "mended", "refused", "missed")
    return tuple(
        KindRow(kind=kind, origin=origin, **{name: counts[kind, origin][name] for name in columns})
        for kind, origin in order
    )


def _groups(tasks: Sequence[_Task]) -> tuple[GroupRow, ...]:
    decisions = (decision for decision in DECISIONS if decision != "training")
    return tuple(_group(decision, [task for task in tasks if task.row.proposals == decision]) for decision in decisions)


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
