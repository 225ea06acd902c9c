"""The two transcriptions of a case as they were first submitted, and what was ruled about names read by those of then.

Adjudicators rule on what A and B became after seeing the reading; agreement and feedback count what they drew before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.graphs.alignment import NameClass
from core.graphs.record import GraphRecord
from services.acting import Reading
from services.adjudication.editing import Case
from store.graphs import graphs
from store.graphs.firsts import firsts_of, names_then


@dataclass(frozen=True, slots=True)
class AsSubmitted:
    """Both graphs, with decisions about names as `Case` has them. `then`: name now → name then, of A and of B."""

    first: GraphRecord
    second: GraphRecord
    pairs: Mapping[str, str]
    classes: Mapping[str, NameClass]
    then: tuple[Mapping[str, str], Mapping[str, str]]


def as_submitted(r: Reading, case: Case) -> AsSubmitted:
    """The same as the case's own where nobody looked at the reading."""
    ids = (case.between.first_graph, case.between.second_graph)
    firsts = firsts_of(r.session, ids)
    if not firsts:
        return AsSubmitted(case.first, case.second, case.pairs, case.classes, ({}, {}))
    kept = graphs.read_graphs(r.session, firsts.values())
    first, second = (
        kept[firsts[graph_id]] if graph_id in firsts and not verdict else now
        for graph_id, now, verdict in zip(ids, (case.first, case.second), case.said, strict=True)
    )
    ours, theirs = (names_then(r.session, graph_id) for graph_id in ids)
    pairs = {theirs.get(name, name): ours.get(meant, meant) for name, meant in case.pairs.items()}
    classes = {theirs.get(name, name): kind for name, kind in case.classes.items()}
    return AsSubmitted(first, second, pairs, classes, (ours, theirs))
