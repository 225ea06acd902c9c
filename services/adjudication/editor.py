"""What the adjudicator's desk draws: two blind transcriptions over one figure, their differences and the rulings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Literal

from core.adjudication.beside import DeskCourse
from core.adjudication.differences import Difference, Kind, Mark, NameQuestion, Ruling, Two
from core.adjudication.ground_truth import Resolved, TrueArrow, resolve
from core.agreement.counts import Element, Measure, measured
from core.agreement.edges import NameRuling, View, agreement
from core.estimate import Estimate
from core.graphs.alignment import OWN, NameClass
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point as Place
from core.graphs.record import GraphRecord, NodeRecord
from core.papers.pages import Box
from core.people import May, Viewer
from core.pseudonyms import NamedPerson, Pseudonyms, is_ordinary, parts_of
from core.transcription.bare_ink import courses_of
from core.transcription.declining import Said
from core.transcription.marks import Marks
from core.transcription.proposals import Point
from services.acting import Reading, consulting
from services.adjudication.editing import Case, adjudication, case_of
from services.adjudication.first_states import as_submitted
from services.graphs.visibility import places_of
from services.transcription.reading import FigureView, figure_view
from store import assignments, history, people
from store.graphs import graphs
from store.graphs.marks import read_all_marks


@dataclass(frozen=True, slots=True)
class CaseNode:
    """A variable of either transcription, by aligned name: where it is printed (`box`) or put (`at`) on the page.

    `wording`: what it is called in the ground truth. `in_a`, `in_b`: what each wrote, None if it lacks the variable.
    """

    name: str
    wording: str
    in_a: str | None
    in_b: str | None
    box: Box | None
    at: Point | None


@dataclass(frozen=True, slots=True)
class DeskName:
    question: NameQuestion
    ruling: Ruling | None


@dataclass(frozen=True, slots=True)
class DeskDifference:
    """`sentence` says it in words with A's and B's reading; `a_says` and `b_says` are the two, each in a few words."""

    difference: Difference
    ruling: Ruling | None
    sentence: str
    a_says: str
    b_says: str


@dataclass(frozen=True, slots=True)
class DeskFigures:
    """How far the two agree as they were first handed in: of edges, under aligned names; nodes under both views."""

    edge_f1: Estimate
    kappa: Estimate
    node_f1_printed: Estimate
    node_f1_aligned: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjudicationView:
    """Everything the page draws. `state` is "open" or "submitted" (finished); `version` that of the ground truth's
    graph, which every act names. `may_rule`: it is the viewer's and open; `may_reopen`: it is finished. `graph_id` is
    the ground truth's graph, `first_graph` and `second_graph` are those of A and B. `variables`: those that stand,
    also without an arrow. `courses`: the print under the edges of A and B. `waiting`: keys without a ruling, names
    first; nothing waits when it can be finished. `said`, `has_graph`: see `core.adjudication.differences.lay_over`;
    `reasons`: why A and B found no graph, with nobody's name, "" for whoever drew one."""

    id: str
    graph_id: str
    first_graph: str
    second_graph: str
    version: int
    state: str
    round: int
    may_rule: bool
    may_reopen: bool
    figure: FigureView
    nodes: tuple[CaseNode, ...]
    arrows: tuple[TrueArrow, ...]
    names: tuple[DeskName, ...]
    differences: tuple[DeskDifference, ...]
    own: tuple[Ruling, ...]
    courses: tuple[DeskCourse, ...]
    waiting: tuple[str, ...]
    variables: int
    figures: DeskFigures
    said: tuple[Said, Said]
    reasons: tuple[str, str]
    has_graph: bool
    can_undo: bool
    can_redo: bool
    saved_at: datetime | None


def desk(viewer: Viewer, adjudication_id: str) -> AdjudicationView:
    """The adjudication as it stands. Raises Missing, or Refused for one about the viewer's own transcription."""
    with consulting(viewer, May.ADJUDICATE) as r:
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
        nodes=_nodes(two),
        arrows=_arrows(two, resolved),
        names=tuple(DeskName(question, case.rulings.get(question.key)) for question in two.names),
        differences=tuple(_said(two, found, case.rulings.get(found.key)) for found in two.differences),
        own=tuple(ruling for ruling in case.rulings.values() if ruling.kind is Kind.OWN),
        courses=(
            *_courses("a", two.first, marks[case.between.first_graph], {}),
            *_courses("b", two.second, marks[case.between.second_graph], two.aligned),
        ),
        waiting=resolved.waiting,
        variables=len(resolved.nodes),
        figures=_figures(
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
    """The ground truth as far as it is ruled, and where its nodes stand, in pixels. Raises as `desk` does."""
    with consulting(viewer, May.ADJUDICATE) as r:
        row = adjudication(r, adjudication_id)
        graph = graphs.graph_row(r.session, row.graph_id or "")
        record = graphs.read_graph(r.session, graph.id)
        return record, places_of(record, graph.layout)


def _reasons(r: Reading, case: Case) -> tuple[str, str]:
    """Why each of the two found no graph. A and B are blind: who they are, or anybody else, is not read from it."""
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
        without_names.replaced(row.reason) if said else "" for row, said in zip(rows, case.said, strict=True)
    )
    return first, second


def _nodes(two: Two) -> tuple[CaseNode, ...]:
    ours = {node.name: node for node in two.first.nodes.values()}
    theirs: dict[str, NodeRecord] = {}
    for node in two.second.nodes.values():
        theirs.setdefault(two.aligned[node.name], node)
    return tuple(
        _node(name, two.wording.get(name, name), ours.get(name), theirs.get(name))
        for name in dict.fromkeys((*ours, *theirs))
    )


def _node(name: str, wording: str, ours: NodeRecord | None, theirs: NodeRecord | None) -> CaseNode:
    sides = [node for node in (ours, theirs) if node is not None]
    box = next((Box(*node.box) for node in sides if node.box), None)
    at = next(((node.x, node.y) for node in sides if node.x is not None and node.y is not None), None)
    return CaseNode(name, wording, ours.name if ours else None, theirs.name if theirs else None, box, at)


def _courses(
    side: Literal["a", "b"], record: GraphRecord, marks: Marks, aligned: Mapping[str, str]
) -> Iterator[DeskCourse]:
    for edge_id, path in courses_of(record, marks).items():
        edge = record.edges[edge_id]
        source, sink = (record.nodes[end].name for end in (edge.source_id, edge.sink_id))
        yield DeskCourse(side, aligned.get(source, source), aligned.get(sink, sink), edge.sign, path)


def _arrows(two: Two, resolved: Resolved) -> tuple[TrueArrow, ...]:
    aligned = {text: name for name, text in two.wording.items()}
    return tuple(
        replace(edge, source=aligned.get(edge.source, edge.source), sink=aligned.get(edge.sink, edge.sink))
        for edge in resolved.edges
    )


def _said(two: Two, found: Difference, ruling: Ruling | None) -> DeskDifference:
    source, sink = (two.wording.get(name, name) for name in (found.source, found.sink))
    return DeskDifference(found, ruling, *in_words(found, source, sink))


def in_words(found: Difference, source: str, sink: str) -> tuple[str, str, str]:
    """A difference as a sentence, and what A and what B says, by the names that are shown."""
    if found.kind is Kind.VERDICT:
        first, second = found.said
        return "Is there a graph in this figure?", said_words(first), said_words(second)
    arrow = f"“{source}” → “{sink}”"
    if found.kind is Kind.NODE:
        who = "A" if found.a else "B"
        here, gone = "listed, without an edge", "not listed"
        return f"“{source}” is listed by {who} only", *((here, gone) if found.a else (gone, here))
    if found.kind is Kind.REVERSED:
        turned = f"“{sink}” → “{source}”"
        return f"“{source}” and “{sink}”: which way?", drawn_words(arrow, found.a), drawn_words(turned, found.b)
    if found.kind is Kind.SIGN:
        return f"{arrow}: which sign?", _signs(found.a), _signs(found.b)
    if found.kind is Kind.DELAY:
        return f"{arrow}: with a delay mark?", *(("delay", "no delay") if _slow(found.a) else ("no delay", "delay"))
    who = "A" if found.a else "B"
    drawn, bare = drawn_words("drawn", found.a or found.b), "not drawn"
    return f"{arrow} is drawn by {who} only", *((drawn, bare) if found.a else (bare, drawn))


def said_words(said: Said) -> str:
    """What somebody handed in."""
    return said.value if said is not None else "a graph"


def drawn_words(what: str, marks: Sequence[Mark]) -> str:
    """What is drawn, with its sign and delay."""
    signs = ", ".join(sign.value.replace("-", "−") for sign, _delay in marks if sign is not None)
    return f"{what}{f', {signs}' if signs else ''}{', delay' if _slow(marks) else ''}"


def _signs(marks: Sequence[Mark]) -> str:
    return " and ".join("no sign" if sign is None else sign.value.replace("-", "−") for sign, _delay in marks)


def _slow(marks: Sequence[Mark]) -> bool:
    return any(delay for _sign, delay in marks)


@lru_cache(maxsize=64)  # a page draws itself anew at every ruling, and most rulings leave the two graphs alone
def _figures(
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
    found = agreement("figure", first, second, ruled, most_loops=0)
    comparison = found.comparison
    printed, aligned = (measured(found.counts[view], Element.NODES, Measure.F1) for view in View)
    return DeskFigures(comparison.edge.f1, comparison.kappa, printed, aligned)
