"""Which node of a graph a printed label is: by its name, by what was said of it, or by the place it was taken from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import InvalidName
from core.graphs.names import clean_name, fold_name, may_merge
from core.graphs.record import GraphRecord, NodeRecord
from core.papers.pages import Box
from core.transcription.marks import Marks
from core.transcription.proposals import ProposedName
from core.transcription.sweep import called, text_key

LEAST_SHARED = 0.5
"""Of the two boxes' common extent: words of a label that was split or joined otherwise still share more than half."""


class PrintedNames:
    """Finds the node that a printed label stands for in one state of a graph and its marks.

    In this order: the node that was joined from this and other texts; the node of exactly this name; the one it was
    merged into; the one taken from the same print and renamed since; the one whose name folds alike, unless it was
    taken from another print: two spellings that are both printed are two names until a person says otherwise. Looking
    is no merging: two nodes of the graph stay two.
    """

    def __init__(self, record: GraphRecord, marks: Marks) -> None:
        self._marks = marks
        self._by_name = {node.name: node for node in record.nodes.values()}
        self._by_fold: dict[str, NodeRecord] = {}
        for node in record.nodes.values():
            if node.box is None:
                self._by_fold.setdefault(fold_name(node.name), node)
        self._parts = [(node, Box(*part["box"])) for node in record.nodes.values() for part in parts_of(marks, node.id)]
        self._boxed = [(node, Box(*node.box)) for node in record.nodes.values() if node.box is not None]

    def node_of(self, label: ProposedName) -> NodeRecord | None:
        """The label's node, None if no node stands for it yet."""
        part_of = next((node for node, box in self._parts if shared(box, label.box) > LEAST_SHARED), None)
        if part_of is not None:
            return part_of
        name = kept_name(label.text)
        into = name if name in self._by_name else called(name, self._by_name, self._marks)
        if into is not None:
            return self._by_name[into]
        there = next((node for node, box in self._boxed if shared(box, label.box) > LEAST_SHARED), None)
        if there is not None:
            return there
        alike = self._by_fold.get(fold_name(name))
        return alike if alike is not None and may_merge(alike.name, name) else None


def unused_labels(labels: Sequence[ProposedName], record: GraphRecord, marks: Marks) -> tuple[ProposedName, ...]:
    """Labels that stand for no node, in their order; one that is printed several times is listed where it stands
    first without a node. A label whose node was renamed is used: the node stands on its box."""
    printed = PrintedNames(record, marks)
    found: dict[str, ProposedName] = {}
    for label in labels:
        key = text_key(label.text)
        if key not in found and printed.node_of(label) is None:
            found[key] = label
    return tuple(found.values())


def parts_of(marks: Marks, node_id: str) -> Sequence[Mapping[str, Any]]:
    """The printed texts that a node was joined from, each with "text" and "box"; none if it was not."""
    mark = marks.get("joined", node_id)
    return mark["parts"] if mark is not None else ()


def kept_name(text: str) -> str:
    """A label's text as a name; one that cannot be kept stays as it is, to be refused with its reason when used."""
    try:
        return clean_name(text)
    except InvalidName:
        return text


def shared(first: Box, second: Box) -> float:
    """Common area of two boxes over the area of both together, 0 to 1 (the Jaccard index); 0 for empty boxes."""
    width = min(first.x1, second.x1) - max(first.x0, second.x0)
    height = min(first.y1, second.y1) - max(first.y0, second.y0)
    if width <= 0 or height <= 0:
        return 0.0
    common = width * height
    return common / (first.width * first.height + second.width * second.height - common)
