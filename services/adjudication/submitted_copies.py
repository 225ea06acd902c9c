"""Both transcriptions of a case as first submitted, with the rulings about names translated to that state.

Adjudicators rule on A and B after their post-submission reviews; agreement and feedback use the state before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.graphs.alignment import NameClass
from core.graphs.record import GraphRecord
from services.acting import ReadContext
from services.adjudication.editing import Case
from store.graphs import graphs
from store.graphs.submitted_copies import firsts_of, names_then


@dataclass(frozen=True, slots=True)
class SubmittedCopies:
    """Both graphs as first submitted, with decisions about names as in `Case`."""

    first: GraphRecord
    second: GraphRecord
    pairs: Mapping[str, str]
    classes: Mapping[str, NameClass]
    then: tuple[Mapping[str, str], Mapping[str, str]]  # current name → submitted name, of A and of B


def as_submitted(r: ReadContext, case: Case) -> SubmittedCopies:
    """Return the submitted state; it equals the case's own without post-submission reviews."""
    ids = (case.between.first_graph, case.between.second_graph)
    firsts = firsts_of(r.session, ids)
    if not firsts:
        return SubmittedCopies(case.first, case.second, case.pairs, case.classes, ({}, {}))
    frozen = graphs.read_graphs(r.session, firsts.values())
    first, second = (
        frozen[firsts[graph_id]] if graph_id in firsts and not verdict else now
        for graph_id, now, verdict in zip(ids, (case.first, case.second), case.said, strict=True)
    )
    a_names, b_names = (names_then(r.session, graph_id) for graph_id in ids)
    pairs = {b_names.get(name, name): a_names.get(meant, meant) for name, meant in case.pairs.items()}
    classes = {b_names.get(name, name): kind for name, kind in case.classes.items()}
    return SubmittedCopies(first, second, pairs, classes, (a_names, b_names))
