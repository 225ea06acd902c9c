"""How a ruling changes an adjudication: held in one transaction, refused when stale, the truth rewritten with it.

The ground truth is a graph with a history of its own. After every act it is made what the rulings resolve to, so that
each event carries the changes of the graph beside the rulings before and after, and undo takes back both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.adjudication.differences import Kind, NameQuestion, Ruling, Two, lay_over, parts_of
from core.adjudication.ground_truth import Resolved, changes_to, resolve
from core.errors import BadInput, Conflict, Missing, Refused
from core.graphs.alignment import OWN, NameClass
from core.graphs.record import GraphRecord
from core.people import May, Receipt, Viewer
from core.transcription.declining import Said
from services.acting import Reading, Writing, perform
from services.graphs.comparing import decided_names
from store import assignments
from store import rulings as stored
from store.assignments import ADJUDICATION, TRANSCRIPTION
from store.graphs import alignments, graphs
from store.rulings import Between
from store.tables import AlignmentRow, AssignmentRow, GraphRow, new_id

Rulings = Mapping[str, Ruling]
LONGEST_COMMENT = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An adjudication with all it is about: the two transcriptions, the decisions about names, the rulings. Where one
    of the two declined the figure, `said` holds the verdict and the drawing is empty."""

    row: AssignmentRow
    between: Between
    first: GraphRecord
    second: GraphRecord
    pairs: Mapping[str, str]
    classes: Mapping[str, NameClass]
    rulings: Rulings
    said: tuple[Said, Said]

    def two(self) -> Two:
        return lay_over(self.first, self.second, self.pairs, self.classes, self.rulings.values(), self.said)


@dataclass(frozen=True, slots=True)
class LockedCase:
    """A case whose ground truth's row is locked for this act."""

    w: Writing
    case: Case
    graph: GraphRow
    seen: int


def adjudication(r: Reading, adjudication_id: str) -> AssignmentRow:
    """Raises Missing if there is none, Refused for one about the viewer's own transcription."""
    row = assignments.assignment(r.session, adjudication_id)
    if row.kind != ADJUDICATION:
        raise Missing("There is no such adjudication in this study.")
    refuse_own_work(r, row.subject_id)
    return row


def refuse_own_work(r: Reading, figure_id: str) -> None:
    """Raises Refused if the viewer transcribes or transcribed the figure: nobody rules on their own work."""
    if assignments.assignment_of(r.session, TRANSCRIPTION, figure_id, r.viewer.person_id) is not None:
        raise Refused("You are an annotator of this figure, so someone else must adjudicate it.")


def case_of(r: Reading, row: AssignmentRow) -> Case:
    """Read an adjudication whole."""
    pair = stored.between(r.session, row)
    assert pair is not None, "an adjudication has its two transcriptions from its first moment"
    records = graphs.read_graphs(r.session, [pair.first_graph, pair.second_graph])
    said = _said(r, pair)
    first, second = (
        GraphRecord() if verdict else records[graph_id]
        for graph_id, verdict in zip((pair.first_graph, pair.second_graph), said, strict=True)
    )
    decided, _version, _turned = decided_names(
        r, (pair.first_graph, first.graph().nodes), (pair.second_graph, second.graph().nodes)
    )
    kept = alignments.alignment(r.session, pair.first_graph, pair.second_graph)
    classes = {name: NameClass(kind) for name, kind in (kept.classes if kept else {}).items()}
    rulings = {ruling.key: ruling for ruling in stored.rulings(r.session, row)}
    return Case(
        row=row, between=pair, first=first, second=second, pairs=decided, classes=classes, rulings=rulings, said=said
    )


def _said(r: Reading, pair: Between) -> tuple[Said, Said]:
    first, second = (assignments.assignment(r.session, one) for one in (pair.first, pair.second))
    return assignments.said_by(first), assignments.said_by(second)


def ruling_act(
    viewer: Viewer,
    adjudication_id: str,
    make: Callable[[LockedCase], Mapping[str, Ruling | None]],
    *,
    seen: int,
    act_id: str,
) -> Receipt:
    """One act of ruling: `make` gives the rulings that change, by key; None takes one back.

    Raises Conflict if the ground truth moved past version `seen`, Refused for another's case or a finished one.
    """

    def act(w: Writing) -> Receipt:
        held = hold(w, adjudication_id, seen)
        return keep(held, make(held), "adjudication.rule")

    return perform(viewer, May.ADJUDICATE, act_id, act)


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


def keep(held: LockedCase, made: Mapping[str, Ruling | None], act: str, *, undoes: int | None = None) -> Receipt:
    """Write rulings and what they make of the names and of the ground truth, as one event that undo takes back."""
    w, case = held.w, held.case
    before = {key: case.rulings.get(key) for key in made}
    for key, ruling in made.items():
        stored.keep_ruling(w.session, case.row, key, ruling, w.viewer.person_id, w.now)
    _keep_names(w, case, made)
    after = case_of(w, case.row)
    truth = graphs.read_graph(w.session, held.graph.id)
    changes = changes_to(truth, resolved_of(after), new_id)
    graphs.apply_changes(w.session, held.graph, truth, changes, held.seen)
    payload: dict[str, Any] = {
        "changes": [change.as_json() for change in changes],
        "before": {key: stored.ruling_as_json(ruling) for key, ruling in before.items()},
        "after": {key: stored.ruling_as_json(ruling) for key, ruling in made.items()},
    }
    return w.record(
        act, "graph", held.graph.id, version=held.seen + 1, graph_id=held.graph.id, undoes=undoes, payload=payload
    )


def resolved_of(case: Case) -> Resolved:
    return resolve(case.two(), case.rulings.values())


def question_about(two: Two, key: str) -> NameQuestion:
    """Raises Missing if no such name is asked about."""
    found = next((question for question in two.names if question.key == key), None)
    if found is None:
        raise Missing(f"Transcription B has no node “{parts_of(key)[1][0]}” whose name differs from those of A.")
    return found


def _keep_names(w: Writing, case: Case, made: Mapping[str, Ruling | None]) -> None:
    """Bring the alignment of the two graphs to what was ruled about names, so that every figure follows it."""
    ruled = {parts_of(key)[1][0]: ruling for key, ruling in made.items() if parts_of(key)[0] is Kind.NAME}
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
    """A comment as it is kept. Raises BadInput if it is too long."""
    words = comment.strip()
    if len(words) > LONGEST_COMMENT:
        raise BadInput(f"The comment has {len(words):,} characters; at most {LONGEST_COMMENT:,} are allowed.")
    return words
