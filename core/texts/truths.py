"""The ground truth of a text: its relevant parts, its hash, and the differences of a new one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.sign import Sign
from core.words import counted

# A graph as JSON: {"nodes": [name], "edges": [[source, sink, sign or null, delay]]}, both sorted.
Plain = Mapping[str, Any]


def plain_truth(graph: CausalGraph) -> dict[str, Any]:
    """Return the parts of a ground truth that a text depends on: names, edges, signs and delays, independent of drawing
    order."""
    edges = {(edge.source, edge.sink, edge.sign.value if edge.sign else "", edge.delay) for edge in graph.edges}
    return {
        "nodes": sorted(graph.nodes),
        "edges": [[source, sink, sign or None, delay] for source, sink, sign, delay in sorted(edges)],
    }


def truth_hash(plain: Plain) -> str:
    known = {"nodes": plain["nodes"], "edges": plain["edges"]}
    text = json.dumps(known, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def graph_of(plain: Plain) -> CausalGraph:
    edges = [
        Edge(source, sink, Sign(sign) if sign else None, delay=bool(delay))
        for source, sink, sign, delay in plain["edges"]
    ]
    return CausalGraph.of(edges, plain["nodes"])


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthDifference:
    """Differences of a later ground truth; edges as (source, sink)."""

    nodes_added: tuple[str, ...]
    nodes_removed: tuple[str, ...]
    edges_added: tuple[tuple[str, str], ...]
    edges_removed: tuple[tuple[str, str], ...]
    re_signed: tuple[tuple[str, str], ...]

    @property
    def in_words(self) -> str:
        """ "2 more edges, 1 fewer node"; "" if nothing differs."""
        parts = (
            _more(len(self.edges_added), "more", "edge"),
            _more(len(self.edges_removed), "fewer", "edge"),
            _more(len(self.re_signed), "otherwise signed or delayed", "edge"),
            _more(len(self.nodes_added), "more", "node"),
            _more(len(self.nodes_removed), "fewer", "node"),
        )
        return ", ".join(part for part in parts if part)


def difference(before: Plain, after: Plain) -> TruthDifference:
    old, new = _marks(before), _marks(after)
    old_nodes, new_nodes = set(before["nodes"]), set(after["nodes"])
    return TruthDifference(
        nodes_added=tuple(sorted(new_nodes - old_nodes)),
        nodes_removed=tuple(sorted(old_nodes - new_nodes)),
        edges_added=tuple(sorted(new.keys() - old.keys())),
        edges_removed=tuple(sorted(old.keys() - new.keys())),
        re_signed=tuple(sorted(pair for pair in old.keys() & new.keys() if old[pair] != new[pair])),
    )


def _marks(plain: Plain) -> dict[tuple[str, str], set[tuple[str | None, bool]]]:
    marks_by_pair: dict[tuple[str, str], set[tuple[str | None, bool]]] = {}
    for source, sink, sign, delay in plain["edges"]:
        marks_by_pair.setdefault((source, sink), set()).add((sign, bool(delay)))
    return marks_by_pair


def _more(number: int, how: str, word: str) -> str:
    if not number:
        return ""
    amount, _, thing = counted(number, word).partition(" ")
    return f"{amount} {how} {thing}"
