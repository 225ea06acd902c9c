"""Items whose truth is a graph: the text, the true graph and the answer's on one picture, and their comparison."""

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
from core.people import May, Receipt, Viewer
from core.runs.states import ItemStatus
from core.texts.mentions import Names
from services.acting import Reading, Writing, consulting, perform
from services.graphs.new_records import new_record
from services.runs.judge_looks import refuse_sample
from store import releases
from store.graphs import graphs
from store.runs import runs
from store.tables import EventRow, GraphRow
from store.tables.runs import RunItemRow, RunSampleRow

MOST_DRAWN = 300
"""Nodes of both graphs together that are drawn."""
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
    """Where a name of the truth is in the text: characters from `start` to `end` (excluded)."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LabGraphs:
    """Ids of graphs in the study: of an answer that was opened, and of its truth; None where there is none. `no_truth`:
    why names cannot be aligned then; "" if they can, or where an item has no graph."""

    prediction: str | None
    truth: str | None
    no_truth: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphItem:
    """An item of a graph. `answer`: None where nothing was read; then the comparison is with an empty graph.

    `comparison`: by exact names (equal after folding), which is exact where ids were given and else a lower bound;
    `aligned`: each name of the answer with the one of the truth that it is. `places`: of every node of both, the
    truth's always the same; empty for graphs too large to draw. `mentions`: names of the truth in `text`. `counts`:
    flag → how many; `parts`: the scores as the run keeps them, None where none is kept.
    """

    item_id: str
    variant: str
    text: str
    truth: CausalGraph
    answer: CausalGraph | None
    comparison: Comparison
    aligned: tuple[AlignedName, ...]
    places: Mapping[str, Point]
    mentions: tuple[NamedPlace, ...]
    counts: Mapping[str, int]
    score: float | None
    parts: Mapping[str, Any] | None


def graph_item(viewer: Viewer, item_id: str) -> GraphItem | None:
    """None for an item whose truth is no graph, or whose text is not kept. Raises Missing if there is no such item,
    Refused while the viewer labels verdicts about it."""
    with consulting(viewer, May.REVIEW) as r:
        row, sample = _item(r, item_id)
        if not _is_graph(sample):
            return None
        if sample.subject_kind == "figure" and sample.subject_id:
            r.look_at(sample.subject_id)  # its ground truth is on the screen
        elif sample.subject_kind == "sample" and sample.subject_id:
            r.look_at(sample.subject_id, "sample")
        key = str(sample.facts.get("text", ""))
        text = runs.texts(r.session, [key]).get(key)
    if text is None:
        return None
    names, edges = _parts(sample)
    answer = _answer(row)
    found = _compared(names, edges, () if answer is None else tuple(edge.pair for edge in answer.edges))
    return GraphItem(
        item_id=item_id,
        variant=sample.variant,
        text=text,
        truth=graph_of(names, edges),
        answer=answer,
        comparison=found.comparison,
        aligned=found.aligned,
        places=found.places,
        mentions=_mentions(text, names),
        counts=dict((row.parsed or {}).get("counts", {})),
        score=row.score,
        parts=row.parts,
    )


def open_prediction(viewer: Viewer, item_id: str, *, act_id: str) -> Receipt:
    """Make an answer a graph of the study, for the graph lab; the receipt's subject is the graph. Raises Missing
    without such an item, BadInput for one without a graph, Refused for one that was opened before."""

    def act(w: Writing) -> Receipt:
        row, sample = _item(w, item_id)
        answer = _answer(row) if _is_graph(sample) else None
        if answer is None or not answer.nodes:
            raise BadInput("This item has no graph to open: nothing was read of its reply.")
        if _opened(w, item_id) is not None:
            raise Refused("This answer is open in the graph lab already.")
        run = runs.run_row(w.session, row.run_id)
        record, _ids = new_record(answer, "model")
        kept = GraphRow(
            kind="prediction",
            title=f"{sample.facts.get('title') or sample.key}, {row.model}, run {run.number}",
            created_by=w.viewer.person_id,
            created_at=w.now,
        )
        changes = graphs.insert_graph(w.session, kept, record)
        payload = {"changes": changes, "item": item_id}
        return w.record(OPENED, "graph", kept.id, graph_id=kept.id, payload=payload, version=kept.version)

    return perform(viewer, May.CURATE, act_id, act, asked=(item_id,))


def in_lab(viewer: Viewer, item_id: str) -> LabGraphs:
    """The graphs of the study that an item's answer and its truth are. Raises Missing if there is no such item."""
    with consulting(viewer, May.REVIEW) as r:
        _row, sample = _item(r, item_id)
        if not _is_graph(sample):
            return LabGraphs(_opened(r, item_id), None)
        truth = _own_truth(r, sample)
        why = "" if truth is not None else OF_TABLE if sample.subject_kind == "sample" else NO_LONGER
        return LabGraphs(_opened(r, item_id), truth, why)


def _opened(r: Reading, item_id: str) -> str | None:
    query = select(EventRow.subject_id, EventRow.payload).where(EventRow.act == OPENED)
    return next((graph for graph, payload in r.session.exec(query) if payload.get("item") == item_id), None)


def _own_truth(r: Reading, sample: RunSampleRow) -> str | None:
    """The figure's ground truth in this study, where it is still the one that the run asked about."""
    if sample.subject_kind != "figure" or sample.subject_id is None:
        return None
    found = releases.standing_truth(releases.ground_truths(r.session, figure_ids=[sample.subject_id]))
    if found is None:
        return None
    graph = graphs.read_graphs(r.session, [found.graph.id])[found.graph.id].graph()
    names, edges = _parts(sample)
    is_same = set(graph.nodes) == set(names) and {edge.pair for edge in graph.edges} == set(edges)
    return found.graph.id if is_same else None


def _item(r: Reading, item_id: str) -> tuple[RunItemRow, RunSampleRow]:
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


@lru_cache(maxsize=64)  # a page draws itself anew at every click; laying out takes longer than a click
def _compared(names: NodeNames, edges: Pairs, said: Pairs) -> _Compared:
    truth, answer = graph_of(names, edges), graph_of((), said)
    aligned = align_names(truth.nodes, answer.nodes, {})
    pairs = pairs_of(aligned)
    found = compare(truth, answer, pairs)
    is_drawn = len(found.nodes) <= MOST_DRAWN
    return _Compared(found, aligned, place_union(truth, answer, pairs).places if is_drawn else {})


@lru_cache(maxsize=16)
def _mentions(text: str, names: NodeNames) -> tuple[NamedPlace, ...]:
    return tuple(NamedPlace(each.name, each.start, each.end) for each in Names(names).in_text(text))
