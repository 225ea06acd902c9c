"""Rules shared by all rulings: one transaction, stale versions refused, ground truth rewritten, undo.

The ground truth is a graph with its own history. After every act it is set to what the rulings resolve to, so each
event contains the graph's changes and the rulings before and after, and undo reverts both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.adjudication.differences import (
    ComparedTranscriptions,
    DifferenceKind,
    NameQuestion,
    Ruling,
    differences_of,
    parts_of,
)
from core.adjudication.ground_truth import Resolved, changes_to, resolve
from core.errors import BadInput, Conflict, Missing, Refused
from core.graphs.alignment import OWN, NameClass
from core.graphs.record import GraphRecord
from core.people import Permission, Receipt, Viewer
from core.transcription.declining import Submission
from services.acting import ReadContext, Writing, perform
from services.graphs.comparing import decided_names
from store import assignments
from store import rulings as stored
from store.assignments import ADJUDICATION, TRANSCRIPTION
from store.graphs import alignments, graphs
from store.rulings import AlignmentPair
from store.tables import AlignmentRow, AssignmentRow, GraphRow, new_id

Rulings = Mapping[str, Ruling]
LONGEST_COMMENT = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An adjudication with its two transcriptions, the decisions about names, and the rulings."""

    row: AssignmentRow
    between: AlignmentPair
    first: GraphRecord
    second: GraphRecord
    pairs: Mapping[str, str]
    classes: Mapping[str, NameClass]
    rulings: Rulings
    said: tuple[Submission, Submission]  # verdicts of A and B; the graph of one who declined the figure is empty

    def two(self) -> ComparedTranscriptions:
        return differences_of(self.first, self.second, self.pairs, self.classes, self.rulings.values(), self.said)


@dataclass(frozen=True, slots=True)
class LockedCase:
    w: Writing
    case: Case
    graph: GraphRow
    seen: int


def adjudication(r: ReadContext, adjudication_id: str) -> AssignmentRow:
    """Return an adjudication. Raises Missing, or Refused for one about the viewer's own transcription."""
    row = assignments.assignment(r.session, adjudication_id)
    if row.kind != ADJUDICATION:
        raise Missing("There is no such adjudication in this study.")
    refuse_own_work(r, row.subject_id)
    return row


def refuse_own_work(r: ReadContext, figure_id: str) -> None:
    """Raise Refused if the viewer is an annotator of the figure: nobody rules on their own work."""
    if assignments.assignment_of(r.session, TRANSCRIPTION, figure_id, r.viewer.person_id) is not None:
        raise Refused("You are an annotator of this figure, so someone else must adjudicate it.")


def case_of(r: ReadContext, row: AssignmentRow) -> Case:
    pair = stored.between(r.session, row)
    assert pair is not None, "an adjudication has its two transcriptions from its first moment"
    records = graphs.read_graphs(r.session, [pair.first_graph, pair.second_graph])
    work = (assignments.assignment(r.session, pair.first), assignments.assignment(r.session, pair.second))
    verdicts = (assignments.verdict_of(work[0]), assignments.verdict_of(work[1]))
    first, second = (
        GraphRecord() if verdict else records[graph_id]
        for graph_id, verdict in zip((pair.first_graph, pair.second_graph), verdicts, strict=True)
    )
    decided, _version, _turned = decided_names(
        r, (pair.first_graph, first.graph().nodes), (pair.second_graph, second.graph().nodes)
    )
    alignment = alignments.alignment(r.session, pair.first_graph, pair.second_graph)
    classes = {name: NameClass(kind) for name, kind in (alignment.classes if alignment else {}).items()}
    rulings = {ruling.key: ruling for ruling in stored.rulings(r.session, row)}
    return Case(
        row=row,
        between=pair,
        first=first,
        second=second,
        pairs=decided,
        classes=classes,
        rulings=rulings,
        said=verdicts,
    )


def ruling_act(
    viewer: Viewer,
    adjudication_id: str,
    make: Callable[[LockedCase], Mapping[str, Ruling | None]],
    *,
    seen: int,
    act_id: str,
) -> Receipt:
    """Perform one act of ruling: `make` returns the changed rulings by key; None withdraws one.

    Raises Conflict if the ground truth moved past version `seen`, Refused for another's case or a finished one.
    """

    def act(w: Writing) -> Receipt:
        locked = hold(w, adjudication_id, seen)
        return keep(locked, make(locked), "adjudication.rule")

    return perform(viewer, Permission.ADJUDICATE, act_id, act)


def hold(w: Writing, adjudication_id: str, seen: int) -> LockedCase:
    """Lock the viewer's own open adjudication for an act made at version `seen`. Raises Refused, Conflict."""
    row = adjudication(w, adjudication_id)
    assert row.graph_id is not None, "an adjudication has a ground truth from its first moment"
    graph = graphs.graph_row(w.session, row.graph_id, for_update=True)
    w.session.refresh(row)  # on a server another tab may have finished it while this one waited for the graph
    if row.graph_id != graph.id:
        raise Conflict("This adjudication has been reopened since you opened it. Reload it.", seen=seen, found=0)
    if row.person_id != w.viewer.person_id:
        raise Refused("Someone else is now adjudicating this figure.")
    if row.state != "open":
        raise Refused("This adjudication is finished; reopen it to rule again.")
    if graph.version != seen:
        raise Conflict(
            "This adjudication has been changed elsewhere since you opened it.", seen=seen, found=graph.version
        )
    return LockedCase(w, case_of(w, row), graph, seen)


def keep(locked: LockedCase, changed: Mapping[str, Ruling | None], act: str, *, undoes: int | None = None) -> Receipt:
    """Write rulings with their effect on names and ground truth, as one event that undo reverts."""
    w, case = locked.w, locked.case
    before = {key: case.rulings.get(key) for key in changed}
    for key, ruling in changed.items():
        stored.keep_ruling(w.session, case.row, key, ruling, w.viewer.person_id, w.now)
    _store_names(w, case, changed)
    after = case_of(w, case.row)
    truth = graphs.read_graph(w.session, locked.graph.id)
    changes = changes_to(truth, resolved_of(after), new_id)
    graphs.apply_changes(w.session, locked.graph, truth, changes, locked.seen)
    payload: dict[str, Any] = {
        "changes": [change.as_json() for change in changes],
        "before": {key: stored.ruling_as_json(ruling) for key, ruling in before.items()},
        "after": {key: stored.ruling_as_json(ruling) for key, ruling in changed.items()},
    }
    return w.record(
        act, "graph", locked.graph.id, version=locked.seen + 1, graph_id=locked.graph.id, undoes=undoes, payload=payload
    )


def resolved_of(case: Case) -> Resolved:
    return resolve(case.two(), case.rulings.values())


def question_about(two: ComparedTranscriptions, key: str) -> NameQuestion:
    """Return the question about a name. Raises Missing if there is none."""
    match = next((question for question in two.names if question.key == key), None)
    if match is None:
        raise Missing(f"Transcription B has no node “{parts_of(key)[1][0]}” whose name differs from those of A.")
    return match


def _store_names(w: Writing, case: Case, changed: Mapping[str, Ruling | None]) -> None:
    """Update the alignment of the two graphs to the rulings about names; every measure uses it."""
    ruled = {parts_of(key)[1][0]: ruling for key, ruling in changed.items() if parts_of(key)[0] is DifferenceKind.NAME}
    if not ruled:
        return
    pair = case.between
    row = alignments.alignment(w.session, pair.first_graph, pair.second_graph)
    row = row or AlignmentRow(reference_id=pair.first_graph, candidate_id=pair.second_graph)
    pairs, classes = dict(case.pairs), {name: kind.value for name, kind in case.classes.items()}
    for name, ruling in ruled.items():
        if ruling is None:
            pairs.pop(name, None)
            classes.pop(name, None)
        else:
            pairs[name] = ruling.reference if ruling.reference is not None else OWN
            classes[name] = (ruling.name_class or NameClass.DISTINCT).value
    alignments.keep_pairs(w.session, row, pairs, classes)


def checked_comment(comment: str) -> str:
    """Return a comment without surrounding space. Raises BadInput if it is too long."""
    words = comment.strip()
    if len(words) > LONGEST_COMMENT:
        raise BadInput(f"The comment has {len(words):,} characters; at most {LONGEST_COMMENT:,} are allowed.")
    return words
