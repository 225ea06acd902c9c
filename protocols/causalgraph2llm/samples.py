"""Samples of a run: key, slots and truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from core.graphs.queries import Query, QueryLevel
from core.words import counted, quoted
from protocols.causalgraph2llm.named import encoded, joined, names_in, query_named
from protocols.causalgraph2llm.slices import NumberedQueries, QuerySlice
from protocols.causalgraph2llm.tasks import ASKED, NEUTRAL, PICTURE, UNEXPLAINED, variant_of
from protocols.numbered_samples import Space, SpacePart
from protocols.replies.name_lists import EMPTY, is_folded_apart
from protocols.samples import Sample, content_hash

ARGUMENTS = ("x", "a", "b", "node")


def samples_of(queries: QuerySlice, start: int, end: int) -> Iterator[Sample]:
    """Yield the samples from one number to another, in order."""
    query: tuple[int, int] | None = None
    by_naming: dict[str, AskedQuery] = {}
    for at in queries.between(start, end):
        if query != (at.cell, at.number):
            query = at.cell, at.number
            by_naming.clear()
        naming = at.telling.naming.key
        if naming not in by_naming:
            by_naming[naming] = AskedQuery.of(queries, at)
        yield _sample(queries, at, by_naming[naming])


def sample_of(queries: QuerySlice, at: NumberedQueries) -> Sample:
    """Return a sample. Its key has the graph's own names, its slots the shown ones."""
    return _sample(queries, at, AskedQuery.of(queries, at))


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """Common part of samples that ask one query under one naming."""

    named: str  # its variables as in keys
    shown: Mapping[str, str]  # its variables under their shown names
    answer: str
    truth: Mapping[str, Sequence[str]] | None
    facts: Mapping[str, Any]

    @classmethod
    def of(cls, queries: QuerySlice, at: NumberedQueries) -> AskedQuery:
        cell, shown_graph = queries.cells[at.cell], queries.encoded(at.cell, at.telling)
        query, graph, truth = cell.query(at.number), cell.graph, None
        if cell.level is QueryLevel.GRAPH:
            names = cell.answers(query)
            assert isinstance(names, frozenset), "a query of the whole graph"
            hits = {shown_graph.shown[name] for name in names}
            truth = {"names": list(shown_graph.names), "answer": [name for name in shown_graph.names if name in hits]}
        facts = {
            "graph": graph.name,
            "nodes": len(graph.graph.nodes),
            "edges": len(graph.graph.edges),
            "about": ", ".join(query.names),
        }
        shown = {name: shown_graph.shown[own] for name, own in arguments_of(query).items()}
        return cls(joined(query.names), shown, cell.label(at.number), truth, facts)


def _sample(queries: QuerySlice, at: NumberedQueries, query: AskedQuery) -> Sample:
    cell, telling = queries.cells[at.cell], at.telling
    shown_graph = queries.encoded(at.cell, telling)
    task, variant = cell.asked.value, variant_of(cell.level, explained=telling.is_explained)
    return Sample(
        task=task,
        variant=variant,
        key=key_of(cell.graph.name, telling.encoding, telling.order, telling.naming.key, task, variant, query.named),
        answer=query.answer,
        truth=query.truth,
        slots={
            ("picture" if shown_graph.file else "graph"): shown_graph.hash,
            **query.shown,
            "seed": str(queries.seed),
        },
        facts=query.facts,
        hash=content_hash([shown_graph.hash, task, variant, query.shown]),
    )


def arguments_of(query: Query) -> dict[str, str]:
    """Return the variables of a query: x, a, b, and the node it asks about."""
    a, b = query.between or (None, None)
    values = zip(ARGUMENTS, (query.of, a, b, query.node), strict=True)
    return {name: value for name, value in values if value is not None}


# --- keys --------------------------------------------------------------------------------------------------------


def key_of(graph: str, encoding: str, order: str, naming: str, task: str, variant: str, named: str) -> str:
    """Return a key such as `alarm/json/given/own/mediator/graph/explained/HR|TPR`, percent-encoded by part. `named` has
    the variables as `joined` writes them, in query order."""
    level = variant.removesuffix(UNEXPLAINED)
    explained = "unexplained" if variant.endswith(UNEXPLAINED) else "explained"
    return f"{_head(graph, encoding, order, naming, task, level, explained)}/{named}"


@lru_cache(maxsize=2_048)  # thousands of keys share their first parts
def _head(*parts: str) -> str:
    return "/".join(map(encoded, parts))


class KeyParts(tuple[str, ...]):
    """Parts of a key: graph, encoding, order, naming, task, level, explained or not, and the joined variables."""

    @classmethod
    def of(cls, key: str) -> KeyParts:
        """Parse a key. Raises ValueError for an invalid one."""
        parts = key.split("/")
        if len(parts) != 8:
            raise ValueError(f"found {key!r}; a key has eight parts")
        return cls((*map(unquote, parts[:7]), parts[7]))

    @property
    def names(self) -> tuple[str, ...]:
        return names_in(self[7])


def query_in(key: KeyParts, shown: Callable[[str], str] = str) -> Query:
    """Return the query of a key, with names mapped by `shown`."""
    return query_named(ASKED[key[4]], [shown(name) for name in key.names])


# --- all of them -------------------------------------------------------------------------------------------------


def space_of(queries: QuerySlice) -> Space:
    """Return number, contents and notices of the samples. Raises BadInput for a graph that cannot be encoded."""
    shown_graphs = list(queries.all_encoded())
    parts = tuple(
        SpacePart(task, variant, labels.total(), dict(sorted(labels.items())))
        for (task, variant), labels in queries.labels().items()
    )
    graphs: dict[str, Any] = {}
    for cell, telling, shown in shown_graphs:
        graph = cell.graph
        entry = graphs.setdefault(
            graph.name, {"nodes": len(graph.graph.nodes), "edges": len(graph.graph.edges), "hash": graph.hash}
        )
        if telling.naming.name == NEUTRAL:  # map these names to the graph's own
            entry[telling.naming.key] = {
                name: own for own, name in sorted(shown.shown.items(), key=lambda pair: (len(pair[1]), pair[1]))
            }
    return Space(
        parts=parts,
        made={"graphs": graphs},
        notices=tuple(_notices(queries, shown_graphs)),
        texts=tuple(sorted({each.text for _, _, each in shown_graphs if each.text})),
        counts=queries.counts,
    )


def _notices(queries: QuerySlice, shown_graphs: Any) -> list[str]:
    counts = queries.counts
    encodings = len({telling.encoding for _, telling, _ in shown_graphs})
    notices = [
        f"This slice has {counts['per_encoding']:,} queries per encoding, {counts['slice']:,} in "
        f"{counted(encodings, 'encoding')}. {counts['yes']:,} answers are yes and {counts['empty']:,} lists are empty. "
        f"{queries.samples:,} are asked."
    ]
    for cell in queries.cells:
        if cell.level is QueryLevel.NODE and not cell.yes and cell.size and cell.size < cell.total:
            turned = " with its edges reversed" if cell.graph.is_reversed else ""
            notices.append(
                f"{cell.graph.name}{turned} has no yes among its {cell.total:,} queries of the kind {cell.asked.value} "
                f"about one variable, so this cell contains only no ({cell.size})."
            )
    for name, nodes in {cell.graph.name: cell.graph.graph.nodes for cell in queries.cells}.items():
        if not is_folded_apart(nodes):
            notices.append(
                f"{name}: some names differ only by case or white space, so answers must match them exactly."
            )
        if null := [node for node in nodes if node.strip().casefold() in EMPTY]:
            notices.append(
                f"{name} has a variable called {quoted(null[0])}. An answer means it only where it is in brackets."
            )
    return notices


def labels_of(key: KeyParts, facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the grouping labels of tables, in addition to task and variant."""
    nodes, edges = int(facts["nodes"]), int(facts["edges"])
    return {
        "graph": (key[0],),
        "nodes": (str(nodes),),
        "edges": (str(edges),),
        "density": (f"{edges / nodes:.2f}",) if nodes else (),
        "encoding": (key[1],),
        "order": () if key[1] == PICTURE else (key[2],),
        "names": (key[3].partition("-")[0],),
        "level": (key[5],),
    }
