"""A JSON value held against its shape: every fault with its place, unknown keys kept and noted, nothing corrected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protocols.replies.json_in_text import ONCE, PYTHON_NONE, Mark, fit, shown
from protocols.replies.places import Place, PlaceFault, in_words, path_of
from protocols.replies.shapes import (
    BooleanShape,
    ChoiceShape,
    Key,
    LabelShape,
    ListShape,
    NumberShape,
    ObjectShape,
    Shape,
    TextShape,
)

MOST_FAULTS = 100
MOST_NOTES = 100
MOST_DEPTH = 64
"""Lists and objects in one another within a value that no shape describes."""


class Check:
    """One pass over a value. `value` gives it as it can be kept; what is wrong is in `faults`, unknown keys in `notes`.

    After `MOST_FAULTS` faults one more says how many there are besides; so do `notes`.
    """

    def __init__(self) -> None:
        self._faults: list[PlaceFault] = []
        self._notes: list[str] = []
        self._more_faults = self._more_notes = 0
        self.is_fit = True
        """Whether there is a value to keep: false if a part of it cannot be stored."""

    @property
    def faults(self) -> tuple[PlaceFault, ...]:
        more = [PlaceFault((), f"{self._more_faults:,} more faults", "none")] if self._more_faults else []
        return (*self._faults, *more)

    @property
    def notes(self) -> tuple[str, ...]:
        more = [f"and {self._more_notes:,} more"] if self._more_notes else []
        return (*self._notes, *more)

    def value(self, said: Any, shape: Shape, place: Place = (), right: str = "") -> Any:
        """`right`: what a fault says would be right there, if not what the shape says."""
        right = right or shape.right
        if isinstance(shape, ObjectShape) and isinstance(said, dict):
            return self._object(said, shape, place)
        if isinstance(shape, ListShape) and isinstance(said, list):
            return self._list(said, shape, place, right)
        if isinstance(shape, LabelShape):
            label = shape.labels.parse("None" if said is PYTHON_NONE else said)
            if label is not None:
                return label
        elif _is_right(said, shape):
            return self.kept(said, place)
        return self._wrong(said, right, place)

    def kept(self, said: Any, place: Place) -> Any:
        """A value that no shape describes, or that is right: as it was said, without what no database keeps."""
        if said is PYTHON_NONE:
            return None
        if isinstance(said, Mark):
            self._fault(said.found, said.right, place)
            self.is_fit = False
            return None
        if isinstance(said, str):
            return fit(said)
        if not isinstance(said, dict | list):
            return said
        if len(place) >= MOST_DEPTH:
            self._fault("a value nested more deeply", f"at most {MOST_DEPTH} lists and objects in one another", place)
            self.is_fit = False
            return None
        if isinstance(said, list):
            return [self.kept(each, (*place, number)) for number, each in enumerate(said)]
        found: dict[str, Any] = {}
        for key, each in said.items():
            self._put(found, fit(key), self.kept(each, (*place, fit(key))), place)
        return found

    def _object(self, said: dict[str, Any], shape: ObjectShape, place: Place) -> dict[str, Any]:
        known = {key.name: key for key in shape.keys}
        spelled = _folded(shape.names)
        found: dict[str, Any] = {}
        for written, each in said.items():
            key = known.get(written) or known.get(spelled.get(_fold(written), ""))
            if key is None:
                name = fit(written)
                self._note((*place, name))
                self._put(found, name, self.kept(each, (*place, name)), place)
            else:
                self._put(found, key.name, self._of_key(each, key, (*place, key.name)), place)
        for key in shape.keys:
            if key.is_required and key.name not in found:
                self._fault("nothing", key.right, (*place, key.name))
        return found

    def _of_key(self, said: Any, key: Key, place: Place) -> Any:
        if not key.is_nullable or (said is not None and said is not PYTHON_NONE):
            return self.value(said, key.shape, place, key.right)
        if said is PYTHON_NONE and _is_label_none(key.shape):  # the label, or null: which of them would be a guess
            self._fault("None without quotes", key.right, place)
        return None

    def _list(self, said: list[Any], shape: ListShape, place: Place, right: str) -> list[Any]:
        if not shape.fewest <= len(said) <= shape.most:
            self._fault(in_words(said), right, place)
        read = [self.value(each, shape.of, (*place, number)) for number, each in enumerate(said[: shape.most])]
        return read + [self.kept(each, (*place, shape.most + n)) for n, each in enumerate(said[shape.most :])]

    def _put(self, found: dict[str, Any], name: str, value: Any, place: Place) -> None:
        if name in found:
            self._fault(f"the key {shown(name)} twice", ONCE, place)
            self.is_fit = False
        found[name] = value

    def _wrong(self, said: Any, right: str, place: Place) -> Any:
        if not isinstance(said, Mark) or said is PYTHON_NONE:
            self._fault(in_words(said), right, place)
            return self.kept(said, place)
        return self.kept(said if said.right == ONCE else Mark(said.found, right), place)

    def _fault(self, found: str, right: str, place: Place) -> None:
        if len(self._faults) < MOST_FAULTS:
            self._faults.append(PlaceFault(place, found, right))
        else:
            self._more_faults += 1

    def _note(self, place: Place) -> None:
        if len(self._notes) < MOST_NOTES:
            self._notes.append(path_of(place))
        else:
            self._more_notes += 1


def _is_right(said: Any, shape: Shape) -> bool:
    """Of a value that is neither a label nor made of others."""
    match shape:
        case TextShape():
            return isinstance(said, str) and len(said) <= shape.most and len(said.strip()) >= shape.fewest
        case ChoiceShape():
            return isinstance(said, str) and said in shape.words
        case BooleanShape():
            return isinstance(said, bool)
        case NumberShape():
            return (
                isinstance(said, int if shape.is_whole else int | float)
                and not isinstance(said, bool)
                and (shape.least is None or said >= shape.least)
                and (shape.most is None or said <= shape.most)
            )
        case _:
            return False


def _is_label_none(shape: Shape) -> bool:
    return isinstance(shape, LabelShape) and shape.labels.parse("None") is not None


def _fold(name: str) -> str:
    return name.strip().lower()


def _folded(names: Sequence[str]) -> dict[str, str]:
    """Name by its folded form, but for forms that two names share."""
    found: dict[str, str] = {}
    for name in names:
        found[_fold(name)] = "" if _fold(name) in found else name
    return found
