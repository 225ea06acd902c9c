"""The adjudicator's screen: two blind transcriptions of one figure, their differences, and the rulings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Literal

from core.adjudication.differences import ComparedTranscriptions, Difference, DifferenceKind, Mark, NameQuestion, Ruling
from core.adjudication.ground_truth import Resolved, TrueArrow, resolve
from core.adjudication.printed_context import DeskPath
from core.agreement.counts import Element, Measure, measured
from core.agreement.edges import NameRuling, View, agreement
from core.estimate import Estimate
from core.graphs.alignment import OWN, NameClass
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point as Place
from core.graphs.record import GraphRecord, NodeRecord
from core.papers.pages import Box
from core.people import Permission, Viewer
from core.pseudonyms import NamedPerson, Pseudonyms, is_ordinary, parts_of
from core.transcription.declining import Submission
from core.transcription.marks import Marks
from core.transcription.proposals import Point
from core.transcription.unmatched_arrows import courses_of
from services.acting import ReadContext, consulting
from services.adjudication.editing import Case, adjudication, case_of
from services.adjudication.submitted_copies import as_submitted
from services.graphs.visibility import places_of
from services.transcription.reading import FigureView, figure_view
from store import assignments, history, people
from store.graphs import graphs
from store.graphs.marks import read_all_marks


@dataclass(frozen=True, slots=True)
class CaseNode:
    name: str  # aligned
    wording: str  # in the ground truth
    in_a: str | None  # what A wrote, None if A lacks the variable
    in_b: str | None
    box: Box | None  # where it is printed
    at: Point | None  # where it was placed on the page


@dataclass(frozen=True, slots=True)
class DeskName:
    question: NameQuestion
    ruling: Ruling | None


@dataclass(frozen=True, slots=True)
class DeskDifference:
    difference: Difference
    ruling: Ruling | None
    sentence: str
    a_says: str
    b_says: str


@dataclass(frozen=True, slots=True)
class DeskFigures:
    """Agreement of A and B as first submitted: edges under aligned names, nodes under printed and aligned names."""

    edge_f1: Estimate
    kappa: Estimate
    node_f1_printed: Estimate
    node_f1_aligned: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjudicationView:
    id: str
    graph_id: str  # the ground truth's graph
    first_graph: str  # A's
    second_graph: str  # B's
    version: int  # of the ground truth's graph; every act names it
    state: str  # "open" or "submitted" (finished)
    round: int
    may_rule: bool
    may_reopen: bool
    figure: FigureView
    nodes: tuple[CaseNode, ...]
    arrows: tuple[TrueArrow, ...]
    names: tuple[DeskName, ...]
    differences: tuple[DeskDifference, ...]
    own: tuple[Ruling, ...]
    courses: tuple[DeskPath, ...]  # printed curves under the edges of A and B
    waiting: tuple[str, ...]  # keys without a ruling, names first; empty if it can be finished
    variables: int  # in the ground truth, with isolated ones
    figures: DeskFigures
    said: tuple[Submission, Submission]  # see `core.adjudication.differences.differences_of`, as `has_graph`
    reasons: tuple[str, str]  # why A and B found no graph, pseudonymised; "" for one who drew a graph
    has_graph: bool
    can_undo: bool
    can_redo: bool
    saved_at: datetime | None


def desk(viewer: Viewer, adjudication_id: str) -> AdjudicationView:
    """Return the current adjudication. Raises Missing, or Refused for one about the viewer's own transcription."""
    with consulting(viewer, Permission.ADJUDICATE) as r:
        row = adjudication(r, adjudication_id)
        case = case_of(r, row)
        graph = graphs.graph_row(r.session, row.graph_id or "")
        figure = figure_view(r, row.subject_id)
        is_mine = row.person_id == r.viewer.person_id
        may_rule = is_mine and row.state == "open"
        saved_at = history.last_edit_at(r.session, graph.id)
        reasons = _reasons(r, case)
        marks = read_all_marks(r.session, (case.between.first_graph, case.between.second_graph))
        then = as_submitted(r, case)
    two = case.two()
    resolved = resolve(two, case.rulings.values())
    return AdjudicationView(
        id=row.id,
        graph_id=graph.id,
        first_graph=case.between.first_graph,
        second_graph=case.between.second_graph,
        version=graph.version,
        state=row.state,
        round=row.round,
        may_rule=may_rule,
        may_reopen=row.state == "submitted",
        figure=figure,
        nodes=_case_nodes(two),
        arrows=_true_edges(two, resolved),
        names=tuple(DeskName(question, case.rulings.get(question.key)) for question in two.names),
        differences=tuple(
            _desk_difference(two, difference, case.rulings.get(difference.key)) for difference in two.differences
        ),
        own=tuple(ruling for ruling in case.rulings.values() if ruling.kind is DifferenceKind.OWN),
        courses=(
            *_courses("a", two.first, marks[case.between.first_graph], {}),
            *_courses("b", two.second, marks[case.between.second_graph], two.aligned),
        ),
        waiting=resolved.waiting,
        variables=len(resolved.nodes),
        figures=_agreement_figures(
            then.first.graph(), then.second.graph(), tuple(then.pairs.items()), tuple(then.classes.items())
        ),
        said=case.said,
        reasons=reasons,
        has_graph=two.has_graph,
        can_undo=may_rule and graph.undo_depth > 0,
        can_redo=may_rule and graph.redo_depth > 0,
        saved_at=saved_at,
    )


def ground_truth(viewer: Viewer, adjudication_id: str) -> tuple[GraphRecord, dict[str, Place]]:
    """Return the ground truth as ruled so far, with node positions in pixels. Raises as `desk` does."""
    with consulting(viewer, Permission.ADJUDICATE) as r:
        row = adjudication(r, adjudication_id)
        graph = graphs.graph_row(r.session, row.graph_id or "")
        record = graphs.read_graph(r.session, graph.id)
        return record, places_of(record, graph.layout)


def _reasons(r: ReadContext, case: Case) -> tuple[str, str]:
    """Return why A and B found no graph, without the names of people, since A and B are blind."""
    rows = [assignments.assignment(r.session, one) for one in (case.between.first, case.between.second)]
    if not any(case.said):
        return "", ""
    called = {row.person_id: letter for row, letter in zip(rows, "AB", strict=True)}
    named = [
        NamedPerson(person.name, called.get(person.id, "…"), parts_of(person.name) if person.id in called else ())
        for person in people.all_people(r.session)
        if person.id in called or not is_ordinary(person.name) or len(person.name.split()) > 1
    ]
    without_names = Pseudonyms(named)
    first, second = (
        without_names.replaced(row.reason) if verdict else "" for row, verdict in zip(rows, case.said, strict=True)
    )
    return first, second


def _case_nodes(two: ComparedTranscriptions) -> tuple[CaseNode, ...]:
    a_nodes = {node.name: node for node in two.first.nodes.values()}
    b_nodes: dict[str, NodeRecord] = {}
    for node in two.second.nodes.values():
        b_nodes.setdefault(two.aligned[node.name], node)
    return tuple(
        _case_node(name, two.wording.get(name, name), a_nodes.get(name), b_nodes.get(name))
        for name in dict.fromkeys((*a_nodes, *b_nodes))
    )


def _case_node(name: str, wording: str, in_a: NodeRecord | None, in_b: NodeRecord | None) -> CaseNode:
    sides = [node for node in (in_a, in_b) if node is not None]
    box = next((Box(*node.box) for node in sides if node.box), None)
    at = next(((node.x, node.y) for node in sides if node.x is not None and node.y is not None), None)
    return CaseNode(name, wording, in_a.name if in_a else None, in_b.name if in_b else None, box, at)


def _courses(
    side: Literal["a", "b"], record: GraphRecord, marks: Marks, aligned: Mapping[str, str]
) -> Iterator[DeskPath]:
    for edge_id, path in courses_of(record, marks).items():
        edge = record.edges[edge_id]
        source, sink = (record.nodes[end].name for end in (edge.source_id, edge.sink_id))
        yield DeskPath(side, aligned.get(source, source), aligned.get(sink, sink), edge.sign, path)


def _true_edges(two: ComparedTranscriptions, resolved: Resolved) -> tuple[TrueArrow, ...]:
    aligned = {text: name for name, text in two.wording.items()}
    return tuple(
        replace(edge, source=aligned.get(edge.source, edge.source), sink=aligned.get(edge.sink, edge.sink))
        for edge in resolved.edges
    )


def _desk_difference(two: ComparedTranscriptions, difference: Difference, ruling: Ruling | None) -> DeskDifference:
    source, sink = (two.wording.get(name, name) for name in (difference.source, difference.sink))
    return DeskDifference(difference, ruling, *in_words(difference, source, sink))


def in_words(difference: Difference, source: str, sink: str) -> tuple[str, str, str]:
    """Return a difference as a sentence, with A's and B's version, by the names that are shown."""
    if difference.kind is DifferenceKind.VERDICT:
        first, second = difference.said
        return "Is there a graph in this figure?", verdict_words(first), verdict_words(second)
    arrow = f"“{source}” → “{sink}”"
    if difference.kind is DifferenceKind.NODE:
        who = "A" if difference.a else "B"
        listed, gone = "listed, without an edge", "not listed"
        return f"“{source}” is listed by {who} only", *((listed, gone) if difference.a else (gone, listed))
    if difference.kind is DifferenceKind.REVERSED:
        turned = f"“{sink}” → “{source}”"
        return (
            f"“{source}” and “{sink}”: which way?",
            drawn_words(arrow, difference.a),
            drawn_words(turned, difference.b),
        )
    if difference.kind is DifferenceKind.SIGN:
        return f"{arrow}: which sign?", _signs(difference.a), _signs(difference.b)
    if difference.kind is DifferenceKind.DELAY:
        return f"{arrow}: with a delay mark?", *(
            ("delay", "no delay") if _has_delay(difference.a) else ("no delay", "delay")
        )
    who = "A" if difference.a else "B"
    drawn, bare = drawn_words("drawn", difference.a or difference.b), "not drawn"
    return f"{arrow} is drawn by {who} only", *((drawn, bare) if difference.a else (bare, drawn))


def verdict_words(verdict: Submission) -> str:
    return verdict.value if verdict is not None else "a graph"


def drawn_words(what: str, marks: Sequence[Mark]) -> str:
    """Return what is drawn, with its sign and delay."""
    signs = ", ".join(sign.value.replace("-", "−") for sign, _delay in marks if sign is not None)
    return f"{what}{f', {signs}' if signs else ''}{', delay' if _has_delay(marks) else ''}"


def _signs(marks: Sequence[Mark]) -> str:
    return " and ".join("no sign" if sign is None else sign.value.replace("-", "−") for sign, _delay in marks)


def _has_delay(marks: Sequence[Mark]) -> bool:
    return any(delay for _sign, delay in marks)


@lru_cache(maxsize=64)  # the screen is recomputed at every ruling, and most rulings leave both graphs unchanged
def _agreement_figures(
    first: CausalGraph,
    second: CausalGraph,
    pairs: tuple[tuple[str, str], ...],
    classes: tuple[tuple[str, NameClass], ...],
) -> DeskFigures:
    kinds = dict(classes)
    ruled = [
        NameRuling(name, reference, NameClass.DISTINCT if reference == OWN else kinds.get(name, NameClass.TYPO))
        for name, reference in pairs
    ]
    agreed = agreement("figure", first, second, ruled, most_loops=0)
    comparison = agreed.comparison
    printed, aligned = (measured(agreed.counts[view], Element.NODES, Measure.F1) for view in View)
    return DeskFigures(comparison.edge.f1, comparison.kappa, printed, aligned)
