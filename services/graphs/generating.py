"""Random acyclic graphs, stored with the recipe that generates them again."""

from __future__ import annotations

from typing import Literal

from core.errors import BadInput
from core.graphs.random_dag import random_dag
from core.people import Permission, Receipt, Viewer
from core.words import counted
from services.acting import Writing, perform
from services.graphs.new_records import new_record
from store.graphs import graphs
from store.tables import GraphRow

GENERATED: Literal["generated"] = "generated"


def generate_graph(viewer: Viewer, nodes: int, edges: int, *, seed: int, act_id: str) -> Receipt:
    """Store a random acyclic graph; the receipt's subject is the graph, and its event contains the recipe.

    Raises BadInput for no node or for more edges than fit, TooLarge for a graph larger than any that is read.
    """
    if nodes < 1:
        raise BadInput("A graph needs at least 1 node.")
    graph = random_dag(nodes, edges, seed)
    record, _ids = new_record(graph, GENERATED)

    def act(w: Writing) -> Receipt:
        row = GraphRow(
            kind=GENERATED,
            title=f"Random graph, {counted(nodes, 'node')}, {counted(edges, 'edge')}, seed {seed}",
            created_by=w.viewer.person_id,
            created_at=w.now,
        )
        changes = graphs.insert_graph(w.session, row, record)
        recipe = {"maker": "random_dag", "nodes": nodes, "edges": edges, "seed": seed}
        payload = {"changes": changes, "what": GENERATED, "recipe": recipe}
        return w.record("graph.generate", "graph", row.id, graph_id=row.id, payload=payload, version=row.version)

    return perform(viewer, Permission.CURATE, act_id, act, asked=(nodes, edges, seed))
