"""One query of a run as it is told in each chosen encoding, for whoever looks before it starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.graphs.graph import CausalGraph
from core.graphs.queries import Query
from core.runs.options import Settings
from protocols.causalgraph2llm.samples import KeyParts, query_in, sample_of
from protocols.causalgraph2llm.slices import Numbered, slice_of
from protocols.causalgraph2llm.tasks import LISTED_NAMES, YES
from protocols.making import Inputs, Value
from protocols.samples import Sample

LOOKED_AT = 200
"""Samples among which one is looked for that some variable answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewedQuery:
    """`graph` and `query` by the names that are shown; a sample per encoding, in their order."""

    graph_name: str
    graph: CausalGraph
    query: Query
    encodings: tuple[str, ...]
    samples: tuple[Sample, ...]


def previewed(given: Mapping[str, Sequence[Value]], settings: Settings) -> PreviewedQuery | None:
    """The first query that a variable answers, else the first; None where nothing is asked. Raises as `slice_of`."""
    found = slice_of(Inputs("", {name: tuple(values) for name, values in given.items()}), settings)
    if not found.samples:
        return None
    numbers = range(min(LOOKED_AT, found.samples))
    labels = ((number, found.at(number)) for number in numbers)
    at = next((at for _, at in labels if found.cells[at.cell].label(at.number) in (YES, LISTED_NAMES)), found.at(0))
    cell = found.cells[at.cell]
    first = {telling.encoding: telling for telling in reversed(found.tellings[at.cell])}
    encodings = tuple(dict.fromkeys(telling.encoding for telling in found.tellings[at.cell]))
    samples = tuple(sample_of(found, Numbered(at.cell, at.number, first[each])) for each in encodings)
    told = found.told(at.cell, first[encodings[0]])
    return PreviewedQuery(
        graph_name=cell.graph.name,
        graph=cell.graph.told(first[encodings[0]].naming).graph,
        query=query_in(KeyParts.of(samples[0].key), told.shown.__getitem__),
        encodings=encodings,
        samples=samples,
    )
