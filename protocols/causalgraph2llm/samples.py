"""A sample of a run: its key, what fills its prompt, and what its answer is held against."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from core.graphs.queries import Level, Query
from core.words import counted, quoted
from protocols.causalgraph2llm.named import encoded, joined, names_in, query_named
from protocols.causalgraph2llm.slices import Numbered, QuerySlice
from protocols.causalgraph2llm.tasks import ASKED, NEUTRAL, PICTURE, UNEXPLAINED, variant_of
from protocols.replies.name_lists import EMPTY, is_folded_apart
from protocols.samples import Sample, content_hash
from protocols.spaces import Space, SpacePart

_ARGUMENTS = ("x", "a", "b", "node")


def samples_of(found: QuerySlice, start: int, end: int) -> Iterator[Sample]:
    """The samples from one number up to another, in order."""
    query: tuple[int, int] | None = None
    asked: dict[str, AskedQuery] = {}
    for at in found.between(start, end):
        if query != (at.cell, at.number):
            query = at.cell, at.number
            asked.clear()
        naming = at.telling.naming.key
        if naming not in asked:
            asked[naming] = AskedQuery.of(found, at)
        yield _sample(found, at, asked[naming])


def sample_of(found: QuerySlice, at: Numbered) -> Sample:
    """Its key names the query by the graph's own names; its slots have those that are shown."""
    return _sample(found, at, AskedQuery.of(found, at))


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """What samples have alike that ask one query under one naming, however it is told. `named`: its variables as keys
    have them; `shown`: those that it names, as they are shown."""

    named: str
    shown: Mapping[str, str]
    answer: str
    truth: Mapping[str, Sequence[str]] | None
    facts: Mapping[str, Any]

    @classmethod
    def of(cls, found: QuerySlice, at: Numbered) -> AskedQuery:
        cell, told = found.cells[at.cell], found.told(at.cell, at.telling)
        query, graph, truth = cell.query(at.number), cell.graph, None
        if cell.level is Level.GRAPH:
            names = cell.answers(query)
            assert isinstance(names, frozenset), "a query of the whole graph"
            hits = {told.shown[name] for name in names}
            truth = {"names": list(told.names), "answer": [name for name in told.names if name in hits]}
        facts = {
            "graph": graph.name,
            "nodes": len(graph.graph.nodes),
            "edges": len(graph.graph.edges),
            "about": ", ".join(query.names),
        }
        shown = {name: told.shown[own] for name, own in arguments_of(query).items()}
        return cls(joined(query.names), shown, cell.label(at.number), truth, facts)


def _sample(found: QuerySlice, at: Numbered, asked: AskedQuery) -> Sample:
    cell, telling = found.cells[at.cell], at.telling
    told = found.told(at.cell, telling)
    task, variant = cell.asked.value, variant_of(cell.level, explained=telling.is_explained)
    return Sample(
        task=task,
        variant=variant,
        key=key_of(cell.graph.name, telling.encoding, telling.order, telling.naming.key, task, variant, asked.named),
        answer=asked.answer,
        truth=asked.truth,
        slots={("picture" if told.file else "graph"): told.hash, **asked.shown, "seed": str(found.seed)},
        facts=asked.facts,
        hash=content_hash([told.hash, task, variant, asked.shown]),
    )


def arguments_of(query: Query) -> dict[str, str]:
    """The variables that a query names: x, a, b, and the node it asks about."""
    a, b = query.between or (None, None)
    said = zip(_ARGUMENTS, (query.of, a, b, query.node), strict=True)
    return {name: value for name, value in said if value is not None}


# --- keys --------------------------------------------------------------------------------------------------------


def key_of(graph: str, encoding: str, order: str, naming: str, task: str, variant: str, named: str) -> str:
    """`alarm/json/given/own/mediator/graph/explained/HR|TPR`: each part percent-encoded. `named`: the variables as
    `joined` has them, in the order in which the query names them."""
    level = variant.removesuffix(UNEXPLAINED)
    explained = "unexplained" if variant.endswith(UNEXPLAINED) else "explained"
    return f"{_head(graph, encoding, order, naming, task, level, explained)}/{named}"


@lru_cache(maxsize=2_048)  # thousands of keys begin alike
def _head(*parts: str) -> str:
    return "/".join(map(encoded, parts))


class KeyParts(tuple[str, ...]):
    """Of a key: graph, encoding, order, naming, task, level, explained or not, and the variables as they are joined."""

    @classmethod
    def of(cls, key: str) -> KeyParts:
        """Raises ValueError for what is no key."""
        parts = key.split("/")
        if len(parts) != 8:
            raise ValueError(f"found {key!r}; a key has eight parts")
        return cls((*map(unquote, parts[:7]), parts[7]))

    @property
    def names(self) -> tuple[str, ...]:
        return names_in(self[7])


def query_in(key: KeyParts, shown: Callable[[str], str] = str) -> Query:
    """The query of a key, in the names that are shown of the graph's own."""
    return query_named(ASKED[key[4]], [shown(name) for name in key.names])


# --- all of them -------------------------------------------------------------------------------------------------


def space_of(found: QuerySlice) -> Space:
    """How many samples there are, what they are made of, and what should be read before. Raises BadInput for a graph
    that cannot be told."""
    told = list(found.all_told())
    parts = tuple(
        SpacePart(task, variant, labels.total(), dict(sorted(labels.items())))
        for (task, variant), labels in found.labels().items()
    )
    return Space(
        parts=parts,
        made={"graphs": _made(told)},
        notices=tuple(_notices(found, told)),
        texts=tuple(sorted({each.text for _, _, each in told if each.text})),
        counts=found.counts,
    )


def _made(told: Any) -> dict[str, Any]:
    """Of each graph its size, content and origin, and the names that neutral ones stand for."""
    found: dict[str, Any] = {}
    for cell, telling, shown in told:
        graph = cell.graph
        said = found.setdefault(
            graph.name, {"nodes": len(graph.graph.nodes), "edges": len(graph.graph.edges), "hash": graph.hash}
        )
        if telling.naming.name == NEUTRAL:
            said[telling.naming.key] = {name: own for own, name in sorted(shown.shown.items(), key=_second)}
    return found


def _second(pair: tuple[str, str]) -> tuple[int, str]:
    return len(pair[1]), pair[1]


def _notices(found: QuerySlice, told: Any) -> list[str]:
    counts = found.counts
    encodings = len({telling.encoding for _, telling, _ in told})
    notices = [
        f"This slice has {counts['per_encoding']:,} queries per encoding, {counts['slice']:,} in "
        f"{counted(encodings, 'encoding')}. {counts['yes']:,} answers are yes and {counts['empty']:,} lists are empty. "
        f"{found.samples:,} are asked."
    ]
    for cell in found.cells:
        if cell.level is Level.NODE and not cell.yes and cell.size and cell.size < cell.total:
            turned = " with its edges reversed" if cell.graph.is_reversed else ""
            notices.append(
                f"{cell.graph.name}{turned} has no yes among its {cell.total:,} queries of the kind {cell.asked.value} "
                f"about one variable, so this cell contains only no ({cell.size})."
            )
    for name, nodes in {cell.graph.name: cell.graph.graph.nodes for cell in found.cells}.items():
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
    """What tables group by, beside task and variant."""
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
