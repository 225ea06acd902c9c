"""Printed texts that are one name, for example split by a reader of words: joined into one node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from core.errors import BadInput, Refused
from core.graphs import edits
from core.graphs.names import clean_name
from core.graphs.record import Change, GraphRecord, NodeRecord
from core.papers.pages import Box
from core.transcription.label_nodes import PrintedNames, parts_of
from core.transcription.marks import MarkChange, Marks
from core.transcription.proposals import ProposedName

MOST_JOINED = 20


@dataclass(frozen=True, slots=True)
class Joined:  # changes of a graph and its marks
    changes: tuple[Change, ...]
    marks: tuple[MarkChange, ...]


def joined(
    name: str,
    node_names: Sequence[str],
    labels: Sequence[ProposedName],
    printed: Sequence[ProposedName],
    record: GraphRecord,
    marks: Marks,
    *,
    new_id: Callable[[], str],
) -> Joined:
    """Merge nodes and printed `labels` into one node of this name, in a box around them all.

    The first node stays with its edges and takes those of the others; without one, a node is created. The labels then
    belong to it (`printed.PrintedNames`). `printed`: all labels of the figure.

    Raises BadInput for fewer than two or more than 20 of them, or an unknown node, InvalidName for an invalid name,
    Refused if another node has the name, an edge joins two of the nodes, or another name is printed between them."""
    cleaned = clean_name(name)
    if not 2 <= len(node_names) + len(labels) <= MOST_JOINED:
        raise BadInput(f"Join 2 to {MOST_JOINED} texts, not {len(node_names) + len(labels)}.")
    nodes = [_node(record, each) for each in node_names]
    linked = {frozenset((edge.source_id, edge.sink_id)) for edge in record.edges.values()}
    for one, second in combinations(nodes, 2):
        if frozenset((one.id, second.id)) in linked:
            raise Refused(f"An edge joins “{one.name}” and “{second.name}”, so they are two nodes. Remove it first.")
    other = record.node_named(cleaned)
    if other is not None and other not in nodes:
        raise Refused(f"Another node is called “{cleaned}”. Join it too, or choose another name.")
    boxes = [Box(*node.box) for node in nodes if node.box] + [label.box for label in labels]
    box = Box.around(boxes) if boxes else None
    if box is not None:
        _refuse_between(box, labels, printed, nodes, PrintedNames(record, marks))
    return _merge(cleaned, nodes, labels, box, record, marks, new_id)


def _merge(
    name: str,
    nodes: Sequence[NodeRecord],
    labels: Sequence[ProposedName],
    box: Box | None,
    record: GraphRecord,
    marks: Marks,
    new_id: Callable[[], str],
) -> Joined:
    changes: tuple[Change, ...] = ()
    for node in nodes[1:]:
        changes += edits.rename_node(record.apply(changes), node.id, nodes[0].name)
    first = nodes[0] if nodes else NodeRecord(id=new_id(), name=name, origin="printed")
    merged = replace(first, name=name)
    if box is not None:
        merged = replace(merged, x=(box.x0 + box.x1) / 2, y=(box.y0 + box.y1) / 2, box=_corners(box))
    changes += (Change(first if nodes else None, merged),)
    parts: list[Mapping[str, Any]] = []
    for node in nodes:
        parts += parts_of(marks, node.id)
        if node.box is not None:
            parts.append(_part(node.name, Box(*node.box)))
    parts += [_part(label.text, label.box) for label in labels]
    gone = [change for node in nodes[1:] for change in marks.setting("joined", node.id, None)]
    return Joined(changes, (*gone, *marks.setting("joined", merged.id, {"parts": parts})))


def _node(record: GraphRecord, name: str) -> NodeRecord:
    node = record.node_named(clean_name(name))
    if node is None:
        raise BadInput(f"The node “{name}” is no longer in the graph.")
    return node


def _refuse_between(
    box: Box,
    labels: Sequence[ProposedName],
    printed: Sequence[ProposedName],
    nodes: Sequence[NodeRecord],
    names: PrintedNames,
) -> None:
    """Refuse a name whose middle is in the box of the joined ones, which would cover it."""
    for label in printed:
        x, y = (label.box.x0 + label.box.x1) / 2, (label.box.y0 + label.box.y1) / 2
        if not (box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1) or label in labels:
            continue
        if names.node_of(label) not in nodes:
            raise Refused(f"“{label.text}” is printed between them. Join it too.")


def _part(text: str, box: Box) -> Mapping[str, Any]:
    return {"text": text, "box": list(_corners(box))}


def _corners(box: Box) -> tuple[float, float, float, float]:
    return (box.x0, box.y0, box.x1, box.y1)
