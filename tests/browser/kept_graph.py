"""A graph that the page of a component's test keeps: acts change it by the study's own rules, and undo takes them back.

Where the study has a store there is a file of JSON for each subject, which tests write before and read after.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any

from components.desk.posting.acts import Act
from core.errors import InvalidGraph
from core.graphs.edge import EdgeFlag
from core.graphs.record import Change, EdgeRecord, GraphRecord, NodeRecord, invert
from core.sign import parse_edge_sign
from core.transcription.marks import MarkChange, Marks, fallen, invert_marks

Edit = tuple[tuple[Change, ...], tuple[MarkChange, ...]]
"""What an act does to the graph and to the marks beside it."""


@dataclass
class KeptGraph:
    """A subject's graph, marks and history. Take `lock` around an act: two tabs are two threads."""

    path: Path
    record: GraphRecord
    marks: Marks = field(default_factory=Marks)
    given: dict[str, Any] = field(default_factory=dict)  # what the test wrote beside nodes and edges
    acts: list[dict[str, Any]] = field(default_factory=list)
    past: list[Edit] = field(default_factory=list)
    future: list[Edit] = field(default_factory=list)
    lock: Any = field(default_factory=RLock)

    def node(self, name: str) -> NodeRecord:
        """Raises InvalidGraph if there is none of this name."""
        found = self.record.node_named(name)
        if found is None:
            raise InvalidGraph(f'There is no "{name}" in the graph.')
        return found

    def has(self, act: Act) -> bool:
        return any(one["id"] == act.id for one in self.acts)

    def do(self, act: Act, make: Callable[[], Edit]) -> None:
        """Take an act once: "undo" and "redo" by themselves, any other as `make` says. Raises what `make` raises."""
        if self.has(act):
            return
        if act.kind in ("undo", "redo"):
            self._step_back(self.past, self.future) if act.kind == "undo" else self._step_on()
        else:
            changes, marks = make()
            marks = (*marks, *fallen(changes, self.marks.apply(marks)))
            self._apply((changes, marks))
            if changes or marks:
                self.past.append((changes, marks))
                self.future.clear()
        self.acts.append({**act.data, "id": act.id, "kind": act.kind})
        self.save()

    def _step_back(self, source: list[Edit], target: list[Edit]) -> None:
        if source:
            done = source.pop()
            self._apply((invert(done[0]), invert_marks(done[1])))
            target.append(done)

    def _step_on(self) -> None:
        if self.future:
            self.past.append(self.future.pop())
            self._apply(self.past[-1])

    def _apply(self, edit: Edit) -> None:
        self.record, self.marks = self.record.apply(edit[0]), self.marks.apply(edit[1])

    def path_of(self, edge_id: str) -> Any:
        """The printed course of an edge that was accepted as proposed."""
        found = [value for value in self.marks.of("proposal").values() if value["edge"] == edge_id]
        return found[0]["path"] if found and found[0]["answer"] == "accepted" and found[0]["path"] else None

    def save(self) -> None:
        nodes = [
            {
                "id": node.id,
                "name": node.name,
                "at": None if node.x is None else [node.x, node.y],
                "box": node.box and list(node.box),
                "swept": node.id in self.marks.swept,
            }
            for node in self.record.nodes.values()
        ]
        edges = [
            {
                "id": edge.id,
                "source": edge.source_id,
                "sink": edge.sink_id,
                "sign": edge.sign.value if edge.sign else "",
                "delay": edge.delay,
                "flag": edge.flag.value if edge.flag else "",
                "note": edge.note,
                "path": self.path_of(edge.id),
            }
            for edge in self.record.ordered_edges()
        ]
        none = [value["text"] for value in self.marks.of("not a variable").values()]
        kept = {**self.given, "nodes": nodes, "edges": edges, "none": none, "acts": self.acts}
        self.path.with_suffix(".new").write_text(json.dumps(kept))
        self.path.with_suffix(".new").replace(self.path)


_open: dict[Path, KeptGraph] = {}
_opening = RLock()


def kept_graph(path: Path) -> KeptGraph:
    """The subject's whose file this is; the same for every tab of this process."""
    with _opening:
        if path not in _open:
            given = json.loads(path.read_text()) if path.exists() else {}
            nodes, edges = given.pop("nodes", []), given.pop("edges", [])
            acts = given.pop("acts", [])
            record = GraphRecord(
                {node["id"]: _node(**node) for node in nodes},
                {edge["id"]: _edge(place, **edge) for place, edge in enumerate(edges, start=1)},
            )
            marks = {("swept", node["id"]): {} for node in nodes if node.get("swept")}
            marks |= {("proposal", edge["id"]): _accepted(edge) for edge in edges if edge.get("path")}
            _open[path] = KeptGraph(path, record, Marks(marks), given, acts)
        return _open[path]


def _node(id: str, name: str, at: Any = None, box: Any = None, **_marks: object) -> NodeRecord:
    x, y = at or ([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2] if box else (None, None))
    return NodeRecord(id=id, name=name, origin="declared", x=x, y=y, box=box and tuple(box))


def _edge(
    place: int, *, id: str, source: str, sink: str, sign: str, delay: bool, flag: str, note: str = "", **_marks: object
) -> EdgeRecord:
    return EdgeRecord(
        id=id,
        source_id=source,
        sink_id=sink,
        sign=parse_edge_sign(sign),
        delay=delay,
        flag=EdgeFlag(flag) if flag else None,
        note=note,
        place=place,
    )


def _accepted(edge: dict[str, Any]) -> dict[str, Any]:
    return {"answer": "accepted", "edge": edge["id"], "path": edge["path"]}


def edges_made(changes: Iterable[Change]) -> list[EdgeRecord]:
    return [change.after for change in changes if change.before is None and isinstance(change.after, EdgeRecord)]
