"""A graph as people edit it: nodes and edges with ids, and the changes from one state to the next.

Every edit of a graph is a list of `Change`s. The history stores them, so any graph can be rebuilt at any moment by
folding its changes, and undo is the same list inverted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal

from core.errors import InvalidGraph
from core.graphs.edge import Edge, EdgeFlag
from core.graphs.graph import CausalGraph
from core.sign import Sign
from core.words import quoted

# Origin of an element; the last four are those of a ground truth: both transcriptions, one of them, or the adjudicator.
Origin = Literal[
    "typed",
    "pasted",
    "declared",
    "printed",
    "drawn",
    "proposal",
    "import",
    "model",
    "generated",
    "both",
    "first",
    "second",
    "adjudicator",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRecord:
    """A node: id, name as printed, position (`x`, `y` and `box` in PDF points of its page)."""

    id: str
    name: str
    origin: Origin = "typed"
    confidence: float | None = None
    x: float | None = None
    y: float | None = None
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeRecord:
    """An edge between two node ids; `place` orders edges as they were drawn."""

    id: str
    source_id: str
    sink_id: str
    sign: Sign | None = None
    delay: bool = False
    note: str = ""
    flag: EdgeFlag | None = None
    origin: Origin = "typed"
    confidence: float | None = None
    box: tuple[float, float, float, float] | None = None
    place: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """One element before and after: `before` None adds it, `after` None removes it, both alter it."""

    before: NodeRecord | EdgeRecord | None
    after: NodeRecord | EdgeRecord | None

    @property
    def element(self) -> NodeRecord | EdgeRecord:
        current = self.after if self.after is not None else self.before
        assert current is not None, "a change has a before or an after"
        return current

    def inverted(self) -> Change:
        return Change(self.after, self.before)

    def as_json(self) -> dict[str, Any]:
        kind = "node" if isinstance(self.element, NodeRecord) else "edge"
        return {"kind": kind, "before": _plain(self.before), "after": _plain(self.after)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Change:
        read = node_from_json if data["kind"] == "node" else edge_from_json
        before, after = data["before"], data["after"]
        return cls(read(before) if before else None, read(after) if after else None)


def invert(changes: Iterable[Change]) -> tuple[Change, ...]:
    return tuple(change.inverted() for change in reversed(tuple(changes)))


@dataclass(frozen=True, slots=True)
class GraphRecord:
    nodes: Mapping[str, NodeRecord] = field(default_factory=lambda: MappingProxyType({}))
    edges: Mapping[str, EdgeRecord] = field(default_factory=lambda: MappingProxyType({}))

    def apply(self, changes: Iterable[Change]) -> GraphRecord:
        """Fold `changes` into a new state.

        Raises InvalidGraph if a change does not fit this state: its `before` is not the current element, an id is in
        use, an edge has no node, two nodes would share a name, or an edge would be listed twice."""
        nodes, edges = dict(self.nodes), dict(self.edges)
        for change in changes:
            target: dict[str, Any] = nodes if isinstance(change.element, NodeRecord) else edges
            existing = nodes.get(change.element.id) or edges.get(change.element.id)
            if change.before is None and existing not in (None, change.after):
                raise InvalidGraph(f"The id {change.element.id} is taken by another node or edge of this graph.")
            if target.get(change.element.id) != change.before:
                raise InvalidGraph("This change was made to an older state of the graph.")
            if change.after is None:
                del target[change.element.id]
            else:
                target[change.after.id] = change.after
        result = GraphRecord(MappingProxyType(nodes), MappingProxyType(edges))
        result._check()
        return result

    def _check(self) -> None:
        names: dict[str, str] = {}
        for node in self.nodes.values():
            if node.name in names:
                raise InvalidGraph(f"Two nodes would be named {quoted(node.name)}.")
            names[node.name] = node.id
        seen: set[tuple[str, str, Sign | None]] = set()
        for edge in self.edges.values():
            if edge.source_id not in self.nodes or edge.sink_id not in self.nodes:
                raise InvalidGraph("An edge would join a node that does not exist.")
            key = (edge.source_id, edge.sink_id, edge.sign)
            if key in seen:
                source, sink = self.nodes[edge.source_id].name, self.nodes[edge.sink_id].name
                raise InvalidGraph(f"“{source}” → “{sink}” is already listed.")
            seen.add(key)

    def node_named(self, name: str) -> NodeRecord | None:
        return next((node for node in self.nodes.values() if node.name == name), None)

    def ordered_edges(self) -> tuple[EdgeRecord, ...]:
        return tuple(sorted(self.edges.values(), key=lambda edge: (edge.place, edge.id)))

    def graph(self) -> CausalGraph:
        edges = [
            Edge(self.nodes[e.source_id].name, self.nodes[e.sink_id].name, e.sign, e.delay, e.note, e.flag)
            for e in self.ordered_edges()
        ]
        return CausalGraph.of(edges, (node.name for node in self.nodes.values()))


def node_from_json(data: Mapping[str, Any]) -> NodeRecord:
    return NodeRecord(**{**data, "box": _box(data.get("box"))})


def edge_from_json(data: Mapping[str, Any]) -> EdgeRecord:
    sign, flag = data.get("sign"), data.get("flag")
    return EdgeRecord(
        **{
            **data,
            "sign": Sign(sign) if sign else None,
            "flag": EdgeFlag(flag) if flag else None,
            "box": _box(data.get("box")),
        }
    )


def _box(value: Any) -> tuple[float, float, float, float] | None:
    return None if value is None else (value[0], value[1], value[2], value[3])


def _plain(record: NodeRecord | EdgeRecord | None) -> dict[str, Any] | None:
    if record is None:
        return None
    return {
        key: (
            list(value) if isinstance(value, tuple) else value.value if isinstance(value, (Sign, EdgeFlag)) else value
        )
        for key in _FIELDS[type(record)]
        for value in (getattr(record, key),)
    }


# Not `asdict`, which copies each value deeply: a paste has thousands of changes.
_FIELDS = {kind: tuple(each.name for each in fields(kind)) for kind in (NodeRecord, EdgeRecord)}
