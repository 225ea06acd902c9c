"""Graphs of a run as their source provides them, and as a model sees them."""

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
from core.graphs.orders import EdgeOrder, topological
from core.graphs.queries import Truths
from core.messages import text_hash
from protocols.causalgraph2llm.tasks import NAMINGS, NEUTRAL, PICTURE, REVERSED
from protocols.samples import content_hash
from protocols.step_values import Value


@dataclass(frozen=True, slots=True)
class VariableNaming:
    """Names of a graph's variables; a seed where they are drawn."""

    name: str
    seed: int = 0

    @property
    def key(self) -> str:
        """
        >>> VariableNaming("neutral", 7).key, VariableNaming("own").key
        ('neutral-7', 'own')
        """
        return f"{self.name}-{self.seed}" if self.name == NEUTRAL else self.name


@dataclass(frozen=True, slots=True)
class GraphEncodingVariant:
    """Encoding, order and naming of a graph in a prompt, and whether the queried term is explained."""

    encoding: str
    order: str
    naming: VariableNaming
    is_explained: bool

    @property
    def text(self) -> tuple[str, str, str]:
        """The parts that determine the graph's text."""
        return self.naming.key, self.order, self.encoding


def value_of(name: str, graph: CausalGraph, about: Mapping[str, Any] | None = None) -> Value:
    """Return a graph as a source value (JSON): name in the run, nodes, distinct edges, and the origin in `about`."""
    edges = list(dict.fromkeys(edge.pair for edge in graph.edges))
    content = {"name": name, "nodes": list(graph.nodes), "edges": [list(pair) for pair in edges], **(about or {})}
    return Value(key=name, value=content, hash=content_hash(content))


@dataclass(frozen=True)
class AskedGraph:
    """A graph of a run."""

    name: str
    graph: CausalGraph
    hash: str  # of its nodes and edges
    pictures: Mapping[str, str]  # naming key → SHA-256 of the picture that is sent
    is_reversed: bool = False

    @classmethod
    def of(cls, value: Value, *, with_cycle: bool = False) -> AskedGraph:
        """Read a source value. Raises InvalidGraph, naming graph and cycle, unless the graph is acyclic or `with_cycle`
        allows cycles, because no query needs an order."""
        content = value.value
        graph = CausalGraph.of([Edge(*pair) for pair in content["edges"]], nodes=content["nodes"])
        try:
            if not with_cycle:
                topological(graph)
        except BadInput as error:
            raise type(error)(f"{content['name']}: {error}") from None
        return cls(
            content["name"], graph, content_hash([content["nodes"], content["edges"]]), content.get("pictures") or {}
        )

    def turned(self) -> AskedGraph:
        """Return the graph with every edge reversed: another graph, with other answers."""
        return AskedGraph(self.name, reversed_graph(self.graph).graph, self.hash, self.pictures, True)

    @cached_property
    def truths(self) -> Truths:
        return Truths.of(self.graph)

    def encoded(self, naming: VariableNaming) -> NamedGraph:
        """Return the graph under a naming; a reversed graph stays reversed."""
        scheme = NAMINGS[NEUTRAL] if naming.name == NEUTRAL else NAMINGS["own"]
        return named(self.graph, scheme, naming.seed)


@dataclass(frozen=True, slots=True)
class ShownGraph:
    """A graph as sent to a model."""

    text: str  # empty if it is a picture
    hash: str  # of what is sent
    file: str  # SHA-256 of the picture
    shown: Mapping[str, str]  # own name → shown name
    names: tuple[str, ...]  # shown names, in their order


def tell(graph: AskedGraph, telling: GraphEncodingVariant) -> ShownGraph:
    """Encode a graph. Raises BadInput, naming the graph, for a name that the encoding cannot express and a missing
    picture."""
    as_shown = graph.encoded(telling.naming)
    shown = {own: name for name, own in as_shown.own.items()}
    names = as_shown.graph.nodes
    if telling.encoding == PICTURE:
        sha256 = graph.pictures.get(telling.naming.key)
        if sha256 is None:
            raise BadInput(f"{graph.name}: there is no picture of it with {telling.naming.name} names.")
        return ShownGraph("", sha256, sha256, shown, names)
    try:
        text = encode(as_shown.graph, Encoding(telling.encoding), EdgeOrder(telling.order))
    except BadInput as error:
        raise type(error)(f"{graph.name}: {error}") from None
    return ShownGraph(text, text_hash(text), "", shown, names)


def with_pictures(value: Value, pictures: Mapping[str, str]) -> Value:
    """Add pictures, by naming key, to a graph; they change its hash, since a run sends them."""
    content = {**value.value, "pictures": dict(pictures)}
    return Value(key=value.key, value=content, hash=content_hash(content))


def encode_namings(value: Value, namings: Sequence[VariableNaming]) -> Mapping[str, CausalGraph]:
    """Return the graph under each naming, by the key of the naming. Raises InvalidGraph as `AskedGraph.of`."""
    graph = AskedGraph.of(value)
    return {each.key: (graph.turned() if each.name == REVERSED else graph).encoded(each).graph for each in namings}


def read_graphs(values: Sequence[Value], *, with_cycle: bool = False) -> tuple[AskedGraph, ...]:
    """Read source values. Raises InvalidGraph as `AskedGraph.of`."""
    return tuple(AskedGraph.of(each, with_cycle=with_cycle) for each in values)
