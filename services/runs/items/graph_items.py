"""Items whose ground truth is a graph: text, true graph and answered graph in one picture, and their comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlmodel import select

from core.errors import BadInput, Missing, Refused
from core.graphs.alignment import AlignedName, align_names, pairs_of
from core.graphs.compare import Comparison, compare
from core.graphs.graph import CausalGraph
from core.graphs.layouts.layout import Point
from core.graphs.sample import graph_of
from core.graphs.union import place_union
from core.people import Permission, Receipt, Viewer
from core.runs.states import ItemStatus
from core.texts.mentions import MentionedNames
from services.acting import ReadContext, Writing, consulting, perform
from services.graphs.new_records import new_record
from services.runs.judge_exposure import refuse_sample
from store import releases
from store.graphs import graphs
from store.runs import runs
from store.tables import EventRow, GraphRow
from store.tables.runs import RunItemRow, RunSampleRow

MOST_DRAWN = 300
"""Nodes up to which the two graphs are drawn."""
OPENED = "graph.open"
OF_TABLE = (
    "Names cannot be aligned: an alignment is kept between two graphs of the study, and this true graph is a row of an "
    "imported table."
)
NO_LONGER = "Names cannot be aligned: the ground truth that this run asked about is no longer that of the figure."
Pairs = tuple[tuple[str, str], ...]
NodeNames = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """Position of a true name in the text: characters from `start` to `end` (exclusive)."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LabGraphs:
    """Graphs of the study that belong to an item."""

    prediction: str | None  # id of the answer, if it was opened
    truth: str | None  # id of its ground truth
    no_truth: str = ""  # why names cannot be aligned; "" if they can, or if the item has no graph


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphItem:
    """An item that asks for a graph."""

    item_id: str
    variant: str
    text: str
    truth: CausalGraph
    answer: CausalGraph | None  # None if nothing was parsed; the comparison is then with an empty graph
    comparison: Comparison  # by names equal after folding: exact if ids were given, otherwise a lower bound
    aligned: tuple[AlignedName, ...]  # names of the answer with their true names
    places: Mapping[str, Point]  # of all nodes; the truth's do not change. Empty for graphs too large to draw
    mentions: tuple[NamedPlace, ...]  # true names in `text`
    counts: Mapping[str, int]  # by flag
    score: float | None
    parts: Mapping[str, Any] | None  # stored scores


def graph_item(viewer: Viewer, item_id: str) -> GraphItem | None:
    """Return an item of a graph; None if its truth is no graph, or if its text is not stored. Raises Missing if there
    is no such item, Refused while the viewer labels verdicts about it."""
    with consulting(viewer, Permission.REVIEW) as r:
        row, sample = _item(r, item_id)
        if not _is_graph(sample):
            return None
        if sample.subject_kind == "figure" and sample.subject_id:
            r.record_exposure(sample.subject_id)  # its ground truth is on the screen
        elif sample.subject_kind == "sample" and sample.subject_id:
            r.record_exposure(sample.subject_id, "sample")
        key = str(sample.facts.get("text", ""))
        text = runs.texts(r.session, [key]).get(key)
    if text is None:
        return None
    names, edges = _parts(sample)
    answer = _answer(row)
    compared = _compare_graphs(names, edges, () if answer is None else tuple(edge.pair for edge in answer.edges))
    return GraphItem(
        item_id=item_id,
        variant=sample.variant,
        text=text,
        truth=graph_of(names, edges),
        answer=answer,
        comparison=compared.comparison,
        aligned=compared.aligned,
        places=compared.places,
        mentions=_mentions(text, names),
        counts=dict((row.parsed or {}).get("counts", {})),
        score=row.score,
        parts=row.parts,
    )


def open_prediction(viewer: Viewer, item_id: str, *, act_id: str) -> Receipt:
    """Add an answer to the study as a graph; the receipt's subject is the graph. Raises Missing without such an item,
    BadInput for one without a graph, Refused for one that was opened before."""

    def act(w: Writing) -> Receipt:
        row, sample = _item(w, item_id)
        answer = _answer(row) if _is_graph(sample) else None
        if answer is None or not answer.nodes:
            raise BadInput("This item has no graph to open: nothing was read of its reply.")
        if _find_opened(w, item_id) is not None:
            raise Refused("This answer is open in the graph lab already.")
        run = runs.run_row(w.session, row.run_id)
        record, _ids = new_record(answer, "model")
        graph_row = GraphRow(
            kind="prediction",
            title=f"{sample.facts.get('title') or sample.key}, {row.model}, run {run.number}",
            created_by=w.viewer.person_id,
            created_at=w.now,
        )
        changes = graphs.insert_graph(w.session, graph_row, record)
        payload = {"changes": changes, "item": item_id}
        return w.record(
            OPENED, "graph", graph_row.id, graph_id=graph_row.id, payload=payload, version=graph_row.version
        )

    return perform(viewer, Permission.CURATE, act_id, act, asked=(item_id,))


def in_lab(viewer: Viewer, item_id: str) -> LabGraphs:
    """Return the graphs of an item's answer and truth in the study. Raises Missing if there is no such item."""
    with consulting(viewer, Permission.REVIEW) as r:
        _row, sample = _item(r, item_id)
        if not _is_graph(sample):
            return LabGraphs(_find_opened(r, item_id), None)
        truth = _own_truth(r, sample)
        why = "" if truth is not None else OF_TABLE if sample.subject_kind == "sample" else NO_LONGER
        return LabGraphs(_find_opened(r, item_id), truth, why)


def _find_opened(r: ReadContext, item_id: str) -> str | None:
    query = select(EventRow.subject_id, EventRow.payload).where(EventRow.act == OPENED)
    return next((graph for graph, payload in r.session.exec(query) if payload.get("item") == item_id), None)


def _own_truth(r: ReadContext, sample: RunSampleRow) -> str | None:
    """Return the figure's ground truth if it still is the one that the run asked about."""
    if sample.subject_kind != "figure" or sample.subject_id is None:
        return None
    truth = releases.current_truth(releases.ground_truths(r.session, figure_ids=[sample.subject_id]))
    if truth is None:
        return None
    graph = graphs.read_graphs(r.session, [truth.graph.id])[truth.graph.id].graph()
    names, edges = _parts(sample)
    is_same = set(graph.nodes) == set(names) and {edge.pair for edge in graph.edges} == set(edges)
    return truth.graph.id if is_same else None


def _item(r: ReadContext, item_id: str) -> tuple[RunItemRow, RunSampleRow]:
    row = r.session.get(RunItemRow, item_id)
    if row is None:
        raise Missing("No run of this study has this item.")
    refuse_sample(r, row.sample_id)
    return row, r.session.get_one(RunSampleRow, row.sample_id)


def _is_graph(sample: RunSampleRow) -> bool:
    return isinstance(sample.truth, dict) and sample.truth.keys() == {"nodes", "edges"}


def _parts(sample: RunSampleRow) -> tuple[NodeNames, Pairs]:
    return tuple(sample.truth["nodes"]), tuple((source, sink) for source, sink in sample.truth["edges"])


def _answer(row: RunItemRow) -> CausalGraph | None:
    if row.status != ItemStatus.ANSWERED.value or not isinstance(row.parsed, dict):
        return None
    return graph_of((), row.parsed.get("relations", ()))


@dataclass(frozen=True, slots=True)
class _Compared:
    comparison: Comparison
    aligned: tuple[AlignedName, ...]
    places: Mapping[str, Point]


@lru_cache(maxsize=64)  # a page is rendered again at every click; the layout takes longer than a click
def _compare_graphs(names: NodeNames, edges: Pairs, answer_edges: Pairs) -> _Compared:
    truth, answer = graph_of(names, edges), graph_of((), answer_edges)
    aligned = align_names(truth.nodes, answer.nodes, {})
    pairs = pairs_of(aligned)
    comparison = compare(truth, answer, pairs)
    is_drawn = len(comparison.nodes) <= MOST_DRAWN
    return _Compared(comparison, aligned, place_union(truth, answer, pairs).places if is_drawn else {})


@lru_cache(maxsize=16)
def _mentions(text: str, names: NodeNames) -> tuple[NamedPlace, ...]:
    return tuple(NamedPlace(each.name, each.start, each.end) for each in MentionedNames(names).in_text(text))
