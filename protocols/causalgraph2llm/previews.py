"""Preview of one query of a run in each chosen encoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.graphs.graph import CausalGraph
from core.graphs.queries import Query
from core.runs.options import Settings
from protocols.causalgraph2llm.samples import KeyParts, query_in, sample_of
from protocols.causalgraph2llm.slices import NumberedQueries, slice_of
from protocols.causalgraph2llm.tasks import LISTED_NAMES, YES
from protocols.samples import Sample
from protocols.step_values import Inputs, Value

LOOKED_AT = 200  # samples searched for one that some variable answers


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewedQuery:
    """`graph` and `query` have the shown names; `samples` has one per encoding, in order."""

    graph_name: str
    graph: CausalGraph
    query: Query
    encodings: tuple[str, ...]
    samples: tuple[Sample, ...]


def previewed(values_by_source: Mapping[str, Sequence[Value]], settings: Settings) -> PreviewedQuery | None:
    """Return the first query that a variable answers, else the first; None if there is none. Raises as `slice_of`."""
    queries = slice_of(Inputs("", {name: tuple(values) for name, values in values_by_source.items()}), settings)
    if not queries.samples:
        return None
    numbers = range(min(LOOKED_AT, queries.samples))
    labels = ((number, queries.at(number)) for number in numbers)
    at = next((at for _, at in labels if queries.cells[at.cell].label(at.number) in (YES, LISTED_NAMES)), queries.at(0))
    cell = queries.cells[at.cell]
    first = {telling.encoding: telling for telling in reversed(queries.tellings[at.cell])}
    encodings = tuple(dict.fromkeys(telling.encoding for telling in queries.tellings[at.cell]))
    samples = tuple(sample_of(queries, NumberedQueries(at.cell, at.number, first[each])) for each in encodings)
    shown_graph = queries.encoded(at.cell, first[encodings[0]])
    return PreviewedQuery(
        graph_name=cell.graph.name,
        graph=cell.graph.encoded(first[encodings[0]].naming).graph,
        query=query_in(KeyParts.of(samples[0].key), shown_graph.shown.__getitem__),
        encodings=encodings,
        samples=samples,
    )
