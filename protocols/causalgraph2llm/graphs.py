"""The graphs of a run: what its source gives of each, and each of them as it is told to a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from core.errors import BadInput
from core.graphs.edge import Edge
from core.graphs.encodings import Encoding, encode
from core.graphs.graph import CausalGraph
from core.graphs.naming import NamedGraph, named, reversed_graph
from core.graphs.orders import Order, topological
from core.graphs.queries import Truths
from core.messages import text_hash
from protocols.causalgraph2llm.tasks import NAMINGS, NEUTRAL, PICTURE, REVERSED
from protocols.making import Value
from protocols.samples import content_hash


@dataclass(frozen=True, slots=True)
class Naming:
    """How a graph's variables are called, and by which seed where they are drawn."""

    name: str
    seed: int = 0

    @property
    def key(self) -> str:
        """
        >>> Naming("neutral", 7).key, Naming("own").key
        ('neutral-7', 'own')
        """
        return f"{self.name}-{self.seed}" if self.name == NEUTRAL else self.name


@dataclass(frozen=True, slots=True)
class Telling:
    """In which encoding and order a graph is told, under which names, and whether the term asked about is explained."""

    encoding: str
    order: str
    naming: Naming
    is_explained: bool

    @property
    def text(self) -> tuple[str, str, str]:
        """What decides about the graph's text."""
        return self.naming.key, self.order, self.encoding


def value_of(name: str, graph: CausalGraph, about: Mapping[str, Any] | None = None) -> Value:
    """What a source gives of a graph (JSON): its name in the run, nodes, edges, each once, and where it is from."""
    edges = list(dict.fromkeys(edge.pair for edge in graph.edges))
    said = {"name": name, "nodes": list(graph.nodes), "edges": [list(pair) for pair in edges], **(about or {})}
    return Value(key=name, value=said, hash=content_hash(said))


@dataclass(frozen=True)
class AskedGraph:
    """A graph of a run. `hash`: of its nodes and edges; `pictures`: by the key of a naming, the SHA-256 of the
    picture that is sent."""

    name: str
    graph: CausalGraph
    hash: str
    pictures: Mapping[str, str]
    is_reversed: bool = False

    @classmethod
    def of(cls, value: Value, *, with_cycle: bool = False) -> AskedGraph:
        """`with_cycle`: it may have one, since nothing is asked that needs an order. Raises InvalidGraph, naming the
        graph and a cycle, for another that has any."""
        said = value.value
        graph = CausalGraph.of([Edge(*pair) for pair in said["edges"]], nodes=said["nodes"])
        try:
            if not with_cycle:
                topological(graph)
        except BadInput as error:
            raise type(error)(f"{said['name']}: {error}") from None
        return cls(said["name"], graph, content_hash([said["nodes"], said["edges"]]), said.get("pictures") or {})

    def turned(self) -> AskedGraph:
        """The same with every edge reversed: another graph, with other answers."""
        return AskedGraph(self.name, reversed_graph(self.graph).graph, self.hash, self.pictures, True)

    @cached_property
    def truths(self) -> Truths:
        return Truths.of(self.graph)

    def told(self, naming: Naming) -> NamedGraph:
        """As a naming shows it; one that is reversed already stays so."""
        how = NAMINGS[NEUTRAL] if naming.name == NEUTRAL else NAMINGS["own"]
        return named(self.graph, how, naming.seed)


@dataclass(frozen=True, slots=True)
class ToldGraph:
    """What a model is sent of a graph: `text`, empty where it is the picture `file`; `hash` of what is sent; `shown`:
    the graph's own name → the one that is shown; `names`: those that are shown, in their order."""

    text: str
    hash: str
    file: str
    shown: Mapping[str, str]
    names: tuple[str, ...]


def tell(graph: AskedGraph, telling: Telling) -> ToldGraph:
    """Raises BadInput, naming the graph, for a name that the encoding cannot carry, and for a picture that there is
    not."""
    as_shown = graph.told(telling.naming)
    shown = {own: name for name, own in as_shown.own.items()}
    names = as_shown.graph.nodes
    if telling.encoding == PICTURE:
        sha256 = graph.pictures.get(telling.naming.key)
        if sha256 is None:
            raise BadInput(f"{graph.name}: there is no picture of it with {telling.naming.name} names.")
        return ToldGraph("", sha256, sha256, shown, names)
    try:
        text = encode(as_shown.graph, Encoding(telling.encoding), Order(telling.order))
    except BadInput as error:
        raise type(error)(f"{graph.name}: {error}") from None
    return ToldGraph(text, text_hash(text), "", shown, names)


def with_pictures(value: Value, pictures: Mapping[str, str]) -> Value:
    """The same graph with pictures of it, by the key of a naming; they are part of what a run is asked with."""
    said = {**value.value, "pictures": dict(pictures)}
    return Value(key=value.key, value=said, hash=content_hash(said))


def told_in(value: Value, namings: Sequence[Naming]) -> Mapping[str, CausalGraph]:
    """The graph as each naming shows it, by the key of the naming. Raises InvalidGraph as `AskedGraph.of`."""
    graph = AskedGraph.of(value)
    return {each.key: (graph.turned() if each.name == REVERSED else graph).told(each).graph for each in namings}


def read_graphs(values: Sequence[Value], *, with_cycle: bool = False) -> tuple[AskedGraph, ...]:
    """Raises InvalidGraph as `AskedGraph.of`."""
    return tuple(AskedGraph.of(each, with_cycle=with_cycle) for each in values)
