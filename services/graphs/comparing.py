"""Laying one graph over another: which names are one, what matches, and the figures of it."""

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
from core.people import May, Receipt, Viewer
from exchange.edge_table import table_bytes
from services.acting import Reading, Writing, consulting, perform
from services.files import ExportedFile
from services.graphs.files import PICTURES, by_name, file_name
from services.graphs.visibility import MOST_DRAWN, GraphHead, head_of, places_of, seen_graph
from services.study import current_study
from store.graphs import alignments
from store.graphs import graphs as stored
from store.graphs.firsts import names_then, went_on_as
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


class Ends(NamedTuple):
    """What screens call the two graphs."""

    reference: str
    candidate: str


TRUTH = Ends("ground truth", "prediction")
TRANSCRIPTIONS = Ends("reference", "other transcription")
"""Of two transcriptions neither is true, and none predicts the other."""


@dataclass(frozen=True, slots=True)
class NameRow:
    """A name of the prediction: the truth's name it stands for (None: its own), why, and what is offered instead."""

    aligned: AlignedName
    offers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphComparison:
    """Everything the comparison draws. `version` is that of the decisions about names, 0 if there are none.

    `places` is by merged name, empty if the two graphs together are too large to draw. `is_turned` says that the
    decisions were made in the other direction and are read backwards. `reference_ids`: merged name → node id of the
    truth, for keeping what is dragged.
    """

    reference: GraphHead
    candidate: GraphHead
    result: Comparison
    names: tuple[NameRow, ...]
    reference_names: tuple[str, ...]
    reference_ids: Mapping[str, str]
    places: Mapping[str, Point]
    version: int
    is_turned: bool
    may_align: bool

    @property
    def ends(self) -> Ends:
        kinds = {self.reference.kind, self.candidate.kind}
        return TRANSCRIPTIONS if kinds == {"transcription"} else TRUTH


def comparison(viewer: Viewer, reference_id: str, candidate_id: str) -> GraphComparison:
    """The prediction `candidate_id` against the truth `reference_id`.

    Raises BadInput for a graph against itself, Missing, or Refused if either is blind to the viewer.
    """
    _refuse_same(reference_id, candidate_id)
    with consulting(viewer, May.READ_STUDY) as r:
        reference, ours, places = _opened(r, reference_id)
        candidate, theirs, _places = _opened(r, candidate_id)
        truth, prediction = ours.graph(), theirs.graph()
        decided, version, is_turned = decided_names(r, (reference_id, truth.nodes), (candidate_id, prediction.nodes))
        may_align = r.viewer.may(May.REVIEW)
    aligned = align_names(truth.nodes, prediction.nodes, decided)
    pairs = pairs_of(aligned)
    result = _compared(truth, prediction, tuple(pairs.items()))
    is_drawn = len(result.nodes) <= MOST_DRAWN
    return GraphComparison(
        reference=reference,
        candidate=candidate,
        result=result,
        names=_with_offers(aligned, truth.nodes),
        reference_names=truth.nodes,
        reference_ids={node.name: key for key, node in ours.nodes.items()},
        places=_placed(truth, prediction, tuple(pairs.items()), tuple(places.items())) if is_drawn else {},
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

    `seen` is the `version` of the decisions looked at. Several names may stand for one. Raises Conflict if someone
    decided meanwhile, Missing for names that are not there, BadInput where the same name is to be two variables.
    """
    _refuse_same(reference_id, candidate_id)

    def act(w: Writing) -> Receipt:
        ours, theirs = (_names(w, graph_id) for graph_id in (reference_id, candidate_id))
        _check_names(ours, theirs, candidate_name, reference_name)
        row = alignments.alignment(w.session, reference_id, candidate_id)
        found = row.version if row is not None else 0
        if found != seen:
            raise Conflict("Someone has decided about these names since you opened them.", seen=seen, found=found)
        before, _version, _turned = decided_names(w, (reference_id, ours), (candidate_id, theirs))
        row = row or AlignmentRow(reference_id=reference_id, candidate_id=candidate_id)
        now = {**before, candidate_name: OWN if reference_name is None else reference_name}
        kept = alignments.keep_pairs(w.session, row, now)
        payload = {
            "reference": reference_id,
            "candidate": candidate_id,
            "name": candidate_name,
            "before": before.get(candidate_name),
            "after": now[candidate_name],
        }
        return w.record("graph.align", "alignment", kept.id, version=kept.version, payload=payload)

    return perform(viewer, May.REVIEW, act_id, act)


def export_comparison(viewer: Viewer, reference_id: str, candidate_id: str) -> ExportedFile:
    """Every element of both graphs with its class, as CSV that spreadsheets open safely."""
    found = comparison(viewer, reference_id, candidate_id)
    nodes = [
        ("node", node.name, "", node.outcome.value, "", "", "; ".join(node.candidates)) for node in found.result.nodes
    ]
    edges = [_edge_cells(edge) for edge in found.result.edges]
    content = table_bytes(COLUMNS, [*nodes, *edges], safe=True)
    return ExportedFile(file_name(title_of_pair(found), ".csv"), "text/csv", content)


def picture(viewer: Viewer, reference_id: str, candidate_id: str, form: str) -> ExportedFile:
    """Both graphs in one picture for print, "svg", "png" or "pdf", with a legend of the classes and their counts.

    Raises BadInput for another form, Refused for graphs too large to draw and for work that is blind.
    """
    found = open_drawn(viewer, reference_id, candidate_id)
    title = title_of_pair(found)
    content = current_study().reader.picture(_drawing(found, title), form)
    return ExportedFile(file_name(title, f".{form}"), PICTURES[form], content)


def open_drawn(viewer: Viewer, reference_id: str, candidate_id: str) -> GraphComparison:
    """The comparison, if it is drawn. Raises Refused for graphs too large to draw and for work that is blind."""
    found = comparison(viewer, reference_id, candidate_id)
    if not found.places:
        raise Refused(f"Two graphs with over {MOST_DRAWN} nodes together are not drawn. Download the table instead.")
    return found


def _drawing(found: GraphComparison, title: str) -> Drawing:
    numbers = {node.name: number for number, node in enumerate(found.result.nodes)}
    nodes = [
        DrawnNode(node.name, found.places[node.name], node.outcome.value, badge_of(node)) for node in found.result.nodes
    ]
    edges = []
    for edge in found.result.edges:
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
    return Drawing(tuple(nodes), bent(nodes, edges), (), title, found.ends)


def title_of_pair(found: GraphComparison) -> str:
    """What a file of the comparison is called."""
    return f"{found.reference.title} against {found.candidate.title}"


def badge_of(node: ComparedNode) -> str:
    """What the prediction calls a variable, where that is more than another spelling: its name, or how many names."""
    if len(node.candidates) > 1:
        return f"{len(node.candidates)} names"
    is_other = bool(node.candidates) and fold_name(node.candidates[0]) != fold_name(node.name)
    return f"“{node.candidates[0]}”" if is_other else ""


def difference(edge: ComparedEdge) -> str:
    """How the sign of a matched edge is wrong ("+ → −"), or nothing."""
    return " → ".join(sign.value.replace("-", "−") for sign in edge.sign_differs) if edge.sign_differs else ""


# A page draws itself anew at every click; both are functions of the graphs and their names alone.
@lru_cache(maxsize=32)
def _compared(truth: CausalGraph, prediction: CausalGraph, pairs: tuple[tuple[str, str], ...]) -> Comparison:
    return compare(truth, prediction, dict(pairs))


@lru_cache(maxsize=32)
def _placed(
    truth: CausalGraph,
    prediction: CausalGraph,
    pairs: tuple[tuple[str, str], ...],
    before: tuple[tuple[str, Point], ...],
) -> Mapping[str, Point]:
    return MappingProxyType(place_union(truth, prediction, dict(pairs), before=dict(before)).places)


def _edge_cells(edge: ComparedEdge) -> tuple[str, ...]:
    return ("edge", *edge.pair, edge.outcome.value, edge.reference_sign or "", edge.candidate_sign or "", "")


def _refuse_same(reference_id: str, candidate_id: str) -> None:
    if reference_id == candidate_id:
        raise BadInput("Choose another graph to compare with.")


def _opened(r: Reading, graph_id: str) -> tuple[GraphHead, GraphRecord, dict[str, Point]]:
    """Head, record and places by name; a graph too large to draw has no places."""
    head = head_of(r, seen_graph(r, graph_id))
    record = stored.read_graph(r.session, graph_id)
    layout = stored.graph_row(r.session, graph_id).layout
    return head, record, by_name(record, places_of(record, layout)) if len(record.nodes) <= MOST_DRAWN else {}


Names = tuple[str, tuple[str, ...]]
"""A graph's id and the names of its variables."""


def decided_names(r: Reading, reference: Names, candidate: Names) -> tuple[dict[str, str], int, bool]:
    """What people decided about the names, its version, and whether it is read from the other direction."""
    row = alignments.alignment(r.session, reference[0], candidate[0])
    if row is not None:
        return dict(row.pairs), row.version, False
    other = alignments.alignment(r.session, candidate[0], reference[0])
    if other is None:
        return _decided_later(r, reference, candidate)
    return turned(align_names(candidate[1], reference[1], other.pairs)), 0, True


def _decided_later(r: Reading, reference: Names, candidate: Names) -> tuple[dict[str, str], int, bool]:
    """As `decided_names`, about the graphs that first states of transcriptions went on as, by the names of then."""
    now = went_on_as(r.session, (reference[0], candidate[0]))
    if not now:
        return {}, 0, False
    ids = [now.get(graph_id, graph_id) for graph_id in (reference[0], candidate[0])]
    ours, theirs = (
        names_then(r.session, now[first_id]) if first_id in now else {} for first_id in (reference[0], candidate[0])
    )
    row = alignments.alignment(r.session, *ids)
    if row is not None:
        return {theirs.get(name, name): ours.get(meant, meant) for name, meant in row.pairs.items()}, 0, False
    other = alignments.alignment(r.session, *ids[::-1])
    if other is None:
        return {}, 0, False
    pairs = {ours.get(name, name): theirs.get(meant, meant) for name, meant in other.pairs.items()}
    return turned(align_names(candidate[1], reference[1], pairs)), 0, True


def _with_offers(aligned: tuple[AlignedName, ...], reference: tuple[str, ...]) -> tuple[NameRow, ...]:
    open_names = tuple(pair.name for pair in aligned if pair.reference is None)
    offers = propose(open_names, reference)
    return tuple(NameRow(pair, offers.get(pair.name, ())) for pair in aligned)


def _names(w: Writing, graph_id: str) -> tuple[str, ...]:
    seen_graph(w, graph_id)
    return stored.read_graph(w.session, graph_id).graph().nodes


def _check_names(
    ours: tuple[str, ...], theirs: tuple[str, ...], candidate_name: str, reference_name: str | None
) -> None:
    if candidate_name not in theirs:
        raise Missing(f"The compared graph has no node “{candidate_name}” any more.")
    if reference_name is not None and reference_name not in ours:
        raise Missing(f"The reference has no node “{reference_name}” any more.")
    if reference_name is None and candidate_name in ours:
        raise BadInput(f"Both graphs call it “{candidate_name}”: the same name is the same variable.")
