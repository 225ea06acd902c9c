"""What an annotator says about a graph beside its nodes and edges: what is swept, distinct, as printed, refused.

Marks are made, changed and taken back by the same acts as nodes and edges, and stand in the same events; so undo
brings back both, and a graph's marks can be folded from its history like the graph itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, get_args

from core.errors import InvalidGraph
from core.graphs.record import Change, EdgeRecord, NodeRecord

MarkKind = Literal[
    "swept",
    "not a variable",
    "distinct",
    "same",
    "as printed",
    "proposal",
    "on print",
    "not an edge",
    "late voice",
    "joined",
]
MARK_KINDS: tuple[MarkKind, ...] = get_args(MarkKind)
"""swept: all edges out of a node are drawn (key: its id). not a variable: a printed text that names nothing.
distinct: two near names are two variables. same: a name was merged into another. as printed: a doubt was looked at
and the figure says so. proposal: accepted or refused (key: the proposal's id). on print: the printed course that an
edge drawn by hand lies on (key: its id). not an edge: a printed arrow that means none (key: its id). late voice: what
was answered to something that the reading holds otherwise (key: `ReadOtherwise.key`). joined: printed texts that are
one name (key: the id of their node)."""

Value = Mapping[str, Any]


def key_of(*parts: str) -> str:
    """A short key for names and words: an index has no room for two names of 300 letters."""
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class MarkChange:
    """One mark before and after: `before` None makes it, `after` None takes it away."""

    kind: MarkKind
    key: str
    before: Value | None
    after: Value | None

    def inverted(self) -> MarkChange:
        return MarkChange(self.kind, self.key, self.after, self.before)

    def as_json(self) -> dict[str, Any]:
        """Plain JSON for the history, read back by `from_json`."""
        before, after = (None if value is None else dict(value) for value in (self.before, self.after))
        return {"kind": self.kind, "key": self.key, "before": before, "after": after}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MarkChange:
        return cls(data["kind"], data["key"], data["before"], data["after"])


def invert_marks(changes: Iterable[MarkChange]) -> tuple[MarkChange, ...]:
    """The changes that undo `changes`."""
    return tuple(change.inverted() for change in reversed(tuple(changes)))


@dataclass(frozen=True, slots=True)
class Marks:
    """All marks of one graph, by kind and key."""

    values: Mapping[tuple[MarkKind, str], Value] = field(default_factory=lambda: MappingProxyType({}))

    def apply(self, changes: Iterable[MarkChange]) -> Marks:
        """Fold `changes` into new marks. Raises InvalidGraph if a `before` is not what stands here."""
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
        """Key → value of every mark of one kind."""
        return {key: value for (each, key), value in self.values.items() if each == kind}

    def setting(self, kind: MarkKind, key: str, value: Value | None) -> tuple[MarkChange, ...]:
        """The change that sets (or, with None, takes away) one mark; nothing if it stands so already."""
        before = self.get(kind, key)
        return () if before == value else (MarkChange(kind, key, before, value),)

    @property
    def swept(self) -> frozenset[str]:
        """Ids of the nodes whose outgoing edges are all drawn, as the annotator said."""
        return frozenset(self.of("swept"))

    @property
    def distinct(self) -> frozenset[frozenset[str]]:
        """Pairs of names that were called distinct."""
        return frozenset(frozenset(value["names"]) for value in self.of("distinct").values())

    @property
    def merged(self) -> dict[str, str]:
        """Name that was merged → name it was merged into."""
        return {value["name"]: value["into"] for value in self.of("same").values()}


def fallen(changes: Iterable[Change], marks: Marks, *, is_fold: bool = False) -> tuple[MarkChange, ...]:
    """The marks that no longer hold after `changes` to the graph.

    An attestation "all edges out of X are drawn" falls when X loses an outgoing edge, when such an edge gets another
    end, and when X is renamed or removed: then the annotator should look at X again. A new outgoing edge keeps it,
    since that only adds to what was called complete. Texts that were joined part with their node. An accepted proposal
    whose edge is removed is refused from then on; one whose edge gets another end or is turned round counts as mended
    and keeps the printed course, which then runs as the edge does. One drawn by hand keeps its course when it is turned
    round, and loses it with an end. `is_fold`: the changes make two nodes one; an edge removed by that lives on as its
    twin, so only nodes count.
    """
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
    """An edge that is removed, or gets another end, leaves the arrow it lay on; one that is turned round keeps it."""
    for change in changes:
        course = marks.get("on print", change.element.id)
        if course is None or not isinstance(change.before, EdgeRecord):
            continue
        if change.after is not None and _is_turned(change.before, change.after):
            yield from marks.setting("on print", change.element.id, {"path": list(course["path"])[::-1]})
        elif not _is_same_arrow(change.before, change.after):
            yield from marks.setting("on print", change.element.id, None)


def _disturbed(changes: Iterable[Change], *, is_fold: bool) -> set[str]:
    found: set[str] = set()
    for change in changes:
        if isinstance(change.before, NodeRecord) and not _is_same_node(change.before, change.after):
            found.add(change.before.id)
        elif isinstance(change.before, EdgeRecord) and not is_fold and not _is_same_arrow(change.before, change.after):
            found.add(change.before.source_id)
    return found


def _is_same_node(before: NodeRecord, after: NodeRecord | EdgeRecord | None) -> bool:
    return isinstance(after, NodeRecord) and after.name == before.name


def _is_turned(before: EdgeRecord, after: NodeRecord | EdgeRecord) -> bool:
    return isinstance(after, EdgeRecord) and (after.source_id, after.sink_id) == (before.sink_id, before.source_id)


def _is_same_arrow(before: EdgeRecord, after: NodeRecord | EdgeRecord | None) -> bool:
    if not isinstance(after, EdgeRecord):
        return False
    return (after.source_id, after.sink_id) == (before.source_id, before.sink_id)
