"""An annotator's marks on a graph, in addition to nodes and edges: swept, distinct, as printed, refused.

Marks are created, changed and undone by the same acts as nodes and edges, and are in the same events; so undo restores
both, and a graph's marks can be folded from its history like the graph itself."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, get_args

from core.errors import InvalidGraph
from core.graphs.record import Change, EdgeRecord, NodeRecord

MarkKind = Literal[
    "swept",  # all edges out of a node are drawn (key: its id)
    "not a variable",  # a printed text that names nothing
    "distinct",  # two near names are two variables
    "same",  # a name was merged into another
    "as printed",  # a doubt was checked: the figure says so
    "proposal",  # accepted or refused (key: the proposal's id)
    "on print",  # the printed path of a manually drawn edge (key: its id)
    "not an edge",  # a printed arrow that is no edge (key: its id)
    "late voice",  # the answer to a difference from the reading (key: `ReadingDifference.key`)
    "joined",  # printed texts that are one name (key: the id of their node)
]
MARK_KINDS: tuple[MarkKind, ...] = get_args(MarkKind)

Value = Mapping[str, Any]


def key_of(*parts: str) -> str:
    """Return a short key for names and words: two names of 300 letters do not fit an index."""
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class MarkChange:
    """One mark before and after: `before` None adds it, `after` None removes it."""

    kind: MarkKind
    key: str
    before: Value | None
    after: Value | None

    def inverted(self) -> MarkChange:
        return MarkChange(self.kind, self.key, self.after, self.before)

    def as_json(self) -> dict[str, Any]:
        before, after = (None if value is None else dict(value) for value in (self.before, self.after))
        return {"kind": self.kind, "key": self.key, "before": before, "after": after}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MarkChange:
        return cls(data["kind"], data["key"], data["before"], data["after"])


def invert_marks(changes: Iterable[MarkChange]) -> tuple[MarkChange, ...]:
    return tuple(change.inverted() for change in reversed(tuple(changes)))


@dataclass(frozen=True, slots=True)
class Marks:
    values: Mapping[tuple[MarkKind, str], Value] = field(default_factory=lambda: MappingProxyType({}))

    def apply(self, changes: Iterable[MarkChange]) -> Marks:
        """Fold `changes` into new marks. Raises InvalidGraph if a `before` is not the current value."""
        values = dict(self.values)
        for change in changes:
            place = (change.kind, change.key)
            if values.get(place) != change.before:
                raise InvalidGraph("This change was made to an older state of the graph's marks.")
            if change.after is None:
                values.pop(place, None)
            else:
                values[place] = change.after
        return Marks(MappingProxyType(values))

    def get(self, kind: MarkKind, key: str) -> Value | None:
        return self.values.get((kind, key))

    def of(self, kind: MarkKind) -> dict[str, Value]:
        return {key: value for (each, key), value in self.values.items() if each == kind}

    def setting(self, kind: MarkKind, key: str, value: Value | None) -> tuple[MarkChange, ...]:
        """Return the change that sets (or, with None, removes) one mark; nothing if it has this value already."""
        before = self.get(kind, key)
        return () if before == value else (MarkChange(kind, key, before, value),)

    @property
    def swept(self) -> frozenset[str]:
        """Ids of the nodes whose outgoing edges are all drawn, according to the annotator."""
        return frozenset(self.of("swept"))

    @property
    def distinct(self) -> frozenset[frozenset[str]]:
        return frozenset(frozenset(value["names"]) for value in self.of("distinct").values())

    @property
    def merged(self) -> dict[str, str]:
        return {value["name"]: value["into"] for value in self.of("same").values()}


def fallen(changes: Iterable[Change], marks: Marks, *, is_fold: bool = False) -> tuple[MarkChange, ...]:
    """Return the changes of marks that no longer hold after `changes` to the graph.

    The mark "swept" is removed when a node loses an outgoing edge, when such an edge gets another end, and when the
    node is renamed or removed: then the annotator should check it again. A new outgoing edge keeps the mark, since it
    only adds to what was called complete. Texts that were joined are separated with the removal of their node. An
    accepted proposal whose edge is removed becomes refused; one whose edge gets another end or is reversed counts as
    corrected and keeps the printed path, in the direction of the edge. A manually drawn edge keeps its path when it is
    reversed, and loses it with an end. `is_fold`: the changes merge two nodes; an edge removed by that is represented
    by its twin, so only nodes count."""
    changes = tuple(changes)
    fell: list[MarkChange] = []
    for node_id in sorted(_disturbed(changes, is_fold=is_fold)):
        fell.extend(marks.setting("swept", node_id, None))
    for change in changes:
        if isinstance(change.before, NodeRecord) and change.after is None:
            fell.extend(marks.setting("joined", change.before.id, None))
    return tuple(fell) if is_fold else (*fell, *_proposals_fallen(changes, marks), *_courses_fallen(changes, marks))


def _proposals_fallen(changes: tuple[Change, ...], marks: Marks) -> Iterator[MarkChange]:
    arrows = {change.element.id: change for change in changes if isinstance(change.before, EdgeRecord)}
    for key, value in marks.of("proposal").items():
        change = arrows.get(value["edge"]) if value["answer"] == "accepted" else None
        if change is None or not isinstance(change.before, EdgeRecord):
            continue
        if change.after is None:
            yield MarkChange("proposal", key, value, {**value, "answer": "refused"})
        elif not _is_same_arrow(change.before, change.after):
            path = list(value.get("path", ()))
            course = path[::-1] if _is_turned(change.before, change.after) else path
            yield from marks.setting("proposal", key, {**value, "mended": True, "path": course})


def _courses_fallen(changes: tuple[Change, ...], marks: Marks) -> Iterator[MarkChange]:
    """Yield the removal of the path of an edge that is removed or gets another end; a reversed edge keeps it."""
    for change in changes:
        course = marks.get("on print", change.element.id)
        if course is None or not isinstance(change.before, EdgeRecord):
            continue
        if change.after is not None and _is_turned(change.before, change.after):
            yield from marks.setting("on print", change.element.id, {"path": list(course["path"])[::-1]})
        elif not _is_same_arrow(change.before, change.after):
            yield from marks.setting("on print", change.element.id, None)


def _disturbed(changes: Iterable[Change], *, is_fold: bool) -> set[str]:
    node_ids: set[str] = set()
    for change in changes:
        if isinstance(change.before, NodeRecord):
            if not isinstance(change.after, NodeRecord) or change.after.name != change.before.name:
                node_ids.add(change.before.id)
        elif isinstance(change.before, EdgeRecord) and not is_fold and not _is_same_arrow(change.before, change.after):
            node_ids.add(change.before.source_id)
    return node_ids


def _is_turned(before: EdgeRecord, after: NodeRecord | EdgeRecord) -> bool:
    return isinstance(after, EdgeRecord) and (after.source_id, after.sink_id) == (before.sink_id, before.source_id)


def _is_same_arrow(before: EdgeRecord, after: NodeRecord | EdgeRecord | None) -> bool:
    if not isinstance(after, EdgeRecord):
        return False
    return (after.source_id, after.sink_id) == (before.source_id, before.sink_id)
