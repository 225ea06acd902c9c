"""Comparing two graphs: alignment of names, matches, and measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from core.errors import BadInput, Conflict, Missing, Refused
from core.graphs.alignment import OWN, AlignedName, align_names, pairs_of, propose, turned
from core.graphs.compare import ComparedEdge, ComparedNode, Comparison, compare
from core.graphs.graph import CausalGraph
from core.graphs.layouts.drawing import Drawing, DrawnEdge, DrawnNode, bent
from core.graphs.layouts.layout import Point
from core.graphs.names import fold_name
from core.graphs.record import GraphRecord
from core.graphs.union import place_union
from core.people import Permission, Receipt, Viewer
from exchange.edge_table import table_bytes
from services.acting import ReadContext, Writing, consulting, perform
from services.files import ExportedFile
from services.graphs.files import PICTURES, by_name, file_name
from services.graphs.visibility import MOST_DRAWN, GraphHead, head_of, places_of, seen_graph
from services.study import current_study
from store.graphs import alignments
from store.graphs import graphs as stored
from store.graphs.submitted_copies import names_then, went_on_as
from store.tables import AlignmentRow

COLUMNS = (
    "element",
    "name or source",
    "sink",
    "class",
    "sign in the truth",
    "sign in the prediction",
    "prediction's name",
)


class EdgeEnds(NamedTuple):
    """Names of the two graphs on screens."""

    reference: str
    candidate: str


TRUTH = EdgeEnds("ground truth", "prediction")
TRANSCRIPTIONS = EdgeEnds("reference", "other transcription")  # neither of two transcriptions is true or predicted


@dataclass(frozen=True, slots=True)
class NameRow:
    """A name of the prediction with its alignment, and other names that are suggested for it."""

    aligned: AlignedName
    offers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphComparison:
    reference: GraphHead
    candidate: GraphHead
    result: Comparison
    names: tuple[NameRow, ...]
    reference_names: tuple[str, ...]
    reference_ids: Mapping[str, str]  # merged name → node id of the truth, to store dragged positions
    places: Mapping[str, Point]  # by merged name; empty if the two graphs together are too large to draw
    version: int  # of the decisions about names, 0 if there are none
    is_turned: bool  # the decisions were made in the other direction and are read backwards
    may_align: bool

    @property
    def ends(self) -> EdgeEnds:
        kinds = {self.reference.kind, self.candidate.kind}
        return TRANSCRIPTIONS if kinds == {"transcription"} else TRUTH


def comparison(viewer: Viewer, reference_id: str, candidate_id: str) -> GraphComparison:
    """Compare the prediction `candidate_id` with the truth `reference_id`.

    Raises BadInput for a graph with itself, Missing, or Refused if either is blind to the viewer.
    """
    _refuse_same(reference_id, candidate_id)
    with consulting(viewer, Permission.READ_STUDY) as r:
        reference, truth_record, places = _open_graph(r, reference_id)
        candidate, predicted_record, _places = _open_graph(r, candidate_id)
        truth, prediction = truth_record.graph(), predicted_record.graph()
        decided, version, is_turned = decided_names(r, (reference_id, truth.nodes), (candidate_id, prediction.nodes))
        may_align = r.viewer.may(Permission.REVIEW)
    aligned = align_names(truth.nodes, prediction.nodes, decided)
    pairs = pairs_of(aligned)
    result = _compare(truth, prediction, tuple(pairs.items()))
    is_drawn = len(result.nodes) <= MOST_DRAWN
    offers = propose(tuple(name.name for name in aligned if name.reference is None), truth.nodes)
    return GraphComparison(
        reference=reference,
        candidate=candidate,
        result=result,
        names=tuple(NameRow(name, offers.get(name.name, ())) for name in aligned),
        reference_names=truth.nodes,
        reference_ids={node.name: key for key, node in truth_record.nodes.items()},
        places=_place_union(truth, prediction, tuple(pairs.items()), tuple(places.items())) if is_drawn else {},
        version=version,
        is_turned=is_turned,
        may_align=may_align,
    )


def align(
    viewer: Viewer,
    reference_id: str,
    candidate_id: str,
    candidate_name: str,
    reference_name: str | None,
    *,
    seen: int,
    act_id: str,
) -> Receipt:
    """Decide which variable of the truth a name of the prediction is; None makes it a variable of its own.

    `seen` is the `version` of the decisions that the viewer saw. Several names may be one variable. Raises Conflict if
    someone decided since, Missing for unknown names, BadInput where the same name would be two variables.
    """
    _refuse_same(reference_id, candidate_id)

    def act(w: Writing) -> Receipt:
        for graph_id in (reference_id, candidate_id):
            seen_graph(w, graph_id)
        reference_names, candidate_names = (
            stored.read_graph(w.session, graph_id).graph().nodes for graph_id in (reference_id, candidate_id)
        )
        if candidate_name not in candidate_names:
            raise Missing(f"The compared graph has no node “{candidate_name}” any more.")
        if reference_name is not None and reference_name not in reference_names:
            raise Missing(f"The reference has no node “{reference_name}” any more.")
        if reference_name is None and candidate_name in reference_names:
            raise BadInput(f"Both graphs call it “{candidate_name}”: the same name is the same variable.")
        row = alignments.alignment(w.session, reference_id, candidate_id)
        version = row.version if row is not None else 0
        if version != seen:
            raise Conflict("Someone has decided about these names since you opened them.", seen=seen, found=version)
        before, _version, _turned = decided_names(w, (reference_id, reference_names), (candidate_id, candidate_names))
        row = row or AlignmentRow(reference_id=reference_id, candidate_id=candidate_id)
        now = {**before, candidate_name: OWN if reference_name is None else reference_name}
        stored_row = alignments.keep_pairs(w.session, row, now)
        payload = {
            "reference": reference_id,
            "candidate": candidate_id,
            "name": candidate_name,
            "before": before.get(candidate_name),
            "after": now[candidate_name],
        }
        return w.record("graph.align", "alignment", stored_row.id, version=stored_row.version, payload=payload)

    return perform(viewer, Permission.REVIEW, act_id, act)


def export_comparison(viewer: Viewer, reference_id: str, candidate_id: str) -> ExportedFile:
    """Export every element of both graphs with its class, as CSV that spreadsheets open safely."""
    pair = comparison(viewer, reference_id, candidate_id)
    nodes = [
        ("node", node.name, "", node.outcome.value, "", "", "; ".join(node.candidates)) for node in pair.result.nodes
    ]
    edges = [
        ("edge", *edge.pair, edge.outcome.value, edge.reference_sign or "", edge.candidate_sign or "", "")
        for edge in pair.result.edges
    ]
    content = table_bytes(COLUMNS, [*nodes, *edges], safe=True)
    return ExportedFile(file_name(title_of_pair(pair), ".csv"), "text/csv", content)


def picture(viewer: Viewer, reference_id: str, candidate_id: str, form: str) -> ExportedFile:
    """Draw both graphs in one picture for print, "svg", "png" or "pdf", with a legend of the classes and counts.

    Raises BadInput for another form, Refused for graphs too large to draw and for blind work.
    """
    pair = open_drawn(viewer, reference_id, candidate_id)
    title = title_of_pair(pair)
    content = current_study().reader.picture(_drawing_of(pair, title), form)
    return ExportedFile(file_name(title, f".{form}"), PICTURES[form], content)


def open_drawn(viewer: Viewer, reference_id: str, candidate_id: str) -> GraphComparison:
    """Return the comparison if it can be drawn. Raises Refused for graphs too large to draw and for blind work."""
    pair = comparison(viewer, reference_id, candidate_id)
    if not pair.places:
        raise Refused(f"Two graphs with over {MOST_DRAWN} nodes together are not drawn. Download the table instead.")
    return pair


def _drawing_of(pair: GraphComparison, title: str) -> Drawing:
    numbers = {node.name: number for number, node in enumerate(pair.result.nodes)}
    nodes = [
        DrawnNode(node.name, pair.places[node.name], node.outcome.value, badge_of(node)) for node in pair.result.nodes
    ]
    edges = []
    for edge in pair.result.edges:
        sign = edge.candidate_sign if edge.reference_sign is None else edge.reference_sign
        source, sink = (numbers[name] for name in edge.pair)
        edges.append(
            DrawnEdge(
                source=source,
                sink=sink,
                sign=sign.value if sign else "",
                style=edge.outcome.value,
                differs=difference(edge),
            )
        )
    return Drawing(tuple(nodes), bent(nodes, edges), (), title, pair.ends)


def title_of_pair(pair: GraphComparison) -> str:
    return f"{pair.reference.title} against {pair.candidate.title}"


def badge_of(node: ComparedNode) -> str:
    """Return the prediction's name for a variable if it is more than another spelling, or the number of its names."""
    if len(node.candidates) > 1:
        return f"{len(node.candidates)} names"
    is_other = bool(node.candidates) and fold_name(node.candidates[0]) != fold_name(node.name)
    return f"“{node.candidates[0]}”" if is_other else ""


def difference(edge: ComparedEdge) -> str:
    """Return the sign error of a matched edge ("+ → −"), or ""."""
    return " → ".join(sign.value.replace("-", "−") for sign in edge.sign_differs) if edge.sign_differs else ""


# A page reruns at every click. Both results depend only on the graphs and their names.
@lru_cache(maxsize=32)
def _compare(truth: CausalGraph, prediction: CausalGraph, pairs: tuple[tuple[str, str], ...]) -> Comparison:
    return compare(truth, prediction, dict(pairs))


@lru_cache(maxsize=32)
def _place_union(
    truth: CausalGraph,
    prediction: CausalGraph,
    pairs: tuple[tuple[str, str], ...],
    before: tuple[tuple[str, Point], ...],
) -> Mapping[str, Point]:
    return MappingProxyType(place_union(truth, prediction, dict(pairs), before=dict(before)).places)


def _refuse_same(reference_id: str, candidate_id: str) -> None:
    if reference_id == candidate_id:
        raise BadInput("Choose another graph to compare with.")


def _open_graph(r: ReadContext, graph_id: str) -> tuple[GraphHead, GraphRecord, dict[str, Point]]:
    """Return head, record and positions by name; a graph too large to draw has no positions."""
    head = head_of(r, seen_graph(r, graph_id))
    record = stored.read_graph(r.session, graph_id)
    layout = stored.graph_row(r.session, graph_id).layout
    return head, record, by_name(record, places_of(record, layout)) if len(record.nodes) <= MOST_DRAWN else {}


Names = tuple[str, tuple[str, ...]]  # a graph's id and the names of its variables


def decided_names(r: ReadContext, reference: Names, candidate: Names) -> tuple[dict[str, str], int, bool]:
    """Return people's decisions about the names, their version, and whether they are read in reverse."""
    row = alignments.alignment(r.session, reference[0], candidate[0])
    if row is not None:
        return dict(row.pairs), row.version, False
    other = alignments.alignment(r.session, candidate[0], reference[0])
    if other is None:
        return _names_of_successors(r, reference, candidate)
    return turned(align_names(candidate[1], reference[1], other.pairs)), 0, True


def _names_of_successors(r: ReadContext, reference: Names, candidate: Names) -> tuple[dict[str, str], int, bool]:
    """Return the decisions about the graphs that continue these first states, in names of the first states."""
    now = went_on_as(r.session, (reference[0], candidate[0]))
    if not now:
        return {}, 0, False
    ids = [now.get(graph_id, graph_id) for graph_id in (reference[0], candidate[0])]
    reference_names, candidate_names = (
        names_then(r.session, now[first_id]) if first_id in now else {} for first_id in (reference[0], candidate[0])
    )
    row = alignments.alignment(r.session, *ids)
    if row is not None:
        return (
            {candidate_names.get(name, name): reference_names.get(meant, meant) for name, meant in row.pairs.items()},
            0,
            False,
        )
    other = alignments.alignment(r.session, *ids[::-1])
    if other is None:
        return {}, 0, False
    pairs = {reference_names.get(name, name): candidate_names.get(meant, meant) for name, meant in other.pairs.items()}
    return turned(align_names(candidate[1], reference[1], pairs)), 0, True
