"""The node of a printed label: by its name, by its marks, or by its position."""

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

# Share of the two boxes' common extent: a label split or joined differently still shares more than half.
LEAST_SHARED = 0.5


class PrintedNames:
    """Finds the node of a printed label in one state of a graph and its marks.

    In this order: the node that was joined from this and other texts; the node of exactly this name; the one it was
    merged into; the one created from the same printed text and renamed since; the one whose name folds alike, unless it
    was created from another printed text: two printed spellings are two names unless a person decides so. Nothing is
    merged by this: two nodes of the graph stay two."""

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
        part_of = next((node for node, box in self._parts if shared(box, label.box) > LEAST_SHARED), None)
        if part_of is not None:
            return part_of
        name = cleaned_name(label.text)
        into = name if name in self._by_name else called(name, self._by_name, self._marks)
        if into is not None:
            return self._by_name[into]
        same_box = next((node for node, box in self._boxed if shared(box, label.box) > LEAST_SHARED), None)
        if same_box is not None:
            return same_box
        alike = self._by_fold.get(fold_name(name))
        return alike if alike is not None and may_merge(alike.name, name) else None


def unused_labels(labels: Sequence[ProposedName], record: GraphRecord, marks: Marks) -> tuple[ProposedName, ...]:
    """Return labels without a node, in their order, but no titles and the like; one that is printed several times is
    listed at its first place without a node. A label whose node was renamed is used: the node is at its box."""
    printed = PrintedNames(record, marks)
    by_text: dict[str, ProposedName] = {}
    for label in labels:
        key = text_key(label.text)
        if key not in by_text and not label.is_aside and printed.node_of(label) is None:
            by_text[key] = label
    return tuple(by_text.values())


def parts_of(marks: Marks, node_id: str) -> Sequence[Mapping[str, Any]]:
    """Return the printed texts that a node was joined from, each with "text" and "box"; none if it was not."""
    mark = marks.get("joined", node_id)
    return mark["parts"] if mark is not None else ()


def cleaned_name(text: str) -> str:
    """Return a label's text as a name; an invalid one stays as it is, to be refused with its reason when used."""
    try:
        return clean_name(text)
    except InvalidName:
        return text


def shared(first: Box, second: Box) -> float:
    """Return intersection over union of two boxes, 0 to 1 (the Jaccard index); 0 for empty boxes."""
    width = min(first.x1, second.x1) - max(first.x0, second.x0)
    height = min(first.y1, second.y1) - max(first.y0, second.y0)
    if width <= 0 or height <= 0:
        return 0.0
    common = width * height
    return common / (first.width * first.height + second.width * second.height - common)
