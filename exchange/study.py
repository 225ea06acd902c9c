"""Every graph of a study in one file: CSV (exact, or safe for spreadsheets) or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.errors import BadInput
from core.graphs.graph import CausalGraph
from exchange.edge_json import plain_graph, write_json
from exchange.edge_rows import FIELDS, in_order
from exchange.edge_table import cells_of, table_bytes
from exchange.graphs import GraphForm


@dataclass(frozen=True, slots=True)
class NamedGraph:
    """A graph and whose it is: `annotator` is a pseudonym, `state` the word of its task ("draft", "submitted")."""

    paper_title: str
    paper_id: str
    figure_label: str
    annotator: str
    state: str
    graph: CausalGraph


STUDY_COLUMNS = ("paper_id", "paper_title", "figure_label", "annotator", "state", *FIELDS)


def export_study(graphs: Iterable[NamedGraph], form: GraphForm) -> bytes:
    """All graphs, ordered by paper id, figure, annotator and state, whatever order they are given in.

    CSV: one row an edge; a node without edges is a row with an empty sink, and a graph without nodes one row
    with an empty source and sink, so that no graph is lost. JSON: {"graphs": [{…, "nodes", "edges"}]}.
    Raises BadInput for the standard edge text, which has no place for more than one graph.
    """
    ordered = sorted(graphs, key=lambda named: (_labels(named), write_json(plain_graph(named.graph))))
    if form is GraphForm.STANDARD:
        raise BadInput("The standard edge text holds one graph; export a study as CSV or JSON.")
    if form is GraphForm.JSON:
        return write_json({"graphs": [_plain(named) for named in ordered]})
    safe = form is GraphForm.SAFE_CSV
    return table_bytes(STUDY_COLUMNS, (row for named in ordered for row in _rows(named, safe=safe)), safe=safe)


def _labels(named: NamedGraph) -> list[str]:
    return [named.paper_id, named.paper_title, named.figure_label, named.annotator, named.state]


def _plain(named: NamedGraph) -> dict[str, object]:
    return dict(zip(STUDY_COLUMNS, _labels(named), strict=False)) | plain_graph(named.graph)


def _rows(named: NamedGraph, *, safe: bool) -> Iterator[list[str]]:
    for item in list(in_order(named.graph)) or [""]:
        yield _labels(named) + cells_of(item, safe=safe)
