"""Check of a JSON value against its shape: faults with their place, unknown keys stored and noted, no corrections."""

from __future__ import annotations

from typing import Any

from protocols.replies.json_in_text import ONCE, PYTHON_NONE, JsonMark, fit, shown
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
MOST_DEPTH = 64  # nesting depth of a value that no shape describes


class Check:
    """One pass over a value. Beyond `MOST_FAULTS` faults and `MOST_NOTES` notes only their number is reported."""

    def __init__(self) -> None:
        self._faults: list[PlaceFault] = []
        self._notes: list[str] = []
        self._more_faults = self._more_notes = 0
        self.is_fit = True  # False if a part of the value cannot be stored

    @property
    def faults(self) -> tuple[PlaceFault, ...]:
        more = [PlaceFault((), f"{self._more_faults:,} more faults", "none")] if self._more_faults else []
        return (*self._faults, *more)

    @property
    def notes(self) -> tuple[str, ...]:
        more = [f"and {self._more_notes:,} more"] if self._more_notes else []
        return (*self._notes, *more)

    def value(self, answer: Any, shape: Shape, place: Place = (), right: str = "") -> Any:
        """Return the value as it can be stored. `right` overrides the shape's description in faults."""
        right = right or shape.right
        if isinstance(shape, ObjectShape) and isinstance(answer, dict):
            return self._object(answer, shape, place)
        if isinstance(shape, ListShape) and isinstance(answer, list):
            return self._list(answer, shape, place, right)
        if isinstance(shape, LabelShape):
            label = shape.labels.parse("None" if answer is PYTHON_NONE else answer)
            if label is not None:
                return label
        elif _is_right(answer, shape):
            return self.plain_value(answer, place)
        return self._wrong(answer, right, place)

    def plain_value(self, answer: Any, place: Place) -> Any:
        """Return a valid or undescribed value unchanged, without characters that no database stores."""
        if answer is PYTHON_NONE:
            return None
        if isinstance(answer, JsonMark):
            self._fault(answer.found, answer.right, place)
            self.is_fit = False
            return None
        if isinstance(answer, str):
            return fit(answer)
        if not isinstance(answer, dict | list):
            return answer
        if len(place) >= MOST_DEPTH:
            self._fault("a value nested more deeply", f"at most {MOST_DEPTH} lists and objects in one another", place)
            self.is_fit = False
            return None
        if isinstance(answer, list):
            return [self.plain_value(each, (*place, number)) for number, each in enumerate(answer)]
        members: dict[str, Any] = {}
        for key, member in answer.items():
            self._put(members, fit(key), self.plain_value(member, (*place, fit(key))), place)
        return members

    def _object(self, answer: dict[str, Any], shape: ObjectShape, place: Place) -> dict[str, Any]:
        known = {key.name: key for key in shape.keys}
        spelled: dict[str, str] = {}
        for name in shape.names:  # a folded form that two names share identifies neither
            spelled[_fold(name)] = "" if _fold(name) in spelled else name
        members: dict[str, Any] = {}
        for written, member in answer.items():
            key = known.get(written) or known.get(spelled.get(_fold(written), ""))
            if key is None:
                name = fit(written)
                if len(self._notes) < MOST_NOTES:
                    self._notes.append(path_of((*place, name)))
                else:
                    self._more_notes += 1
                self._put(members, name, self.plain_value(member, (*place, name)), place)
            else:
                self._put(members, key.name, self._key_value(member, key, (*place, key.name)), place)
        for key in shape.keys:
            if key.is_required and key.name not in members:
                self._fault("nothing", key.right, (*place, key.name))
        return members

    def _key_value(self, answer: Any, key: Key, place: Place) -> Any:
        if not key.is_nullable or (answer is not None and answer is not PYTHON_NONE):
            return self.value(answer, key.shape, place, key.right)
        if answer is PYTHON_NONE and isinstance(key.shape, LabelShape) and key.shape.labels.parse("None") is not None:
            self._fault("None without quotes", key.right, place)  # the label or null: choosing would be a guess
        return None

    def _list(self, answers: list[Any], shape: ListShape, place: Place, right: str) -> list[Any]:
        if not shape.fewest <= len(answers) <= shape.most:
            self._fault(in_words(answers), right, place)
        read = [self.value(each, shape.of, (*place, number)) for number, each in enumerate(answers[: shape.most])]
        return read + [self.plain_value(each, (*place, shape.most + n)) for n, each in enumerate(answers[shape.most :])]

    def _put(self, members: dict[str, Any], name: str, value: Any, place: Place) -> None:
        if name in members:
            self._fault(f"the key {shown(name)} twice", ONCE, place)
            self.is_fit = False
        members[name] = value

    def _wrong(self, answer: Any, right: str, place: Place) -> Any:
        if not isinstance(answer, JsonMark) or answer is PYTHON_NONE:
            self._fault(in_words(answer), right, place)
            return self.plain_value(answer, place)
        return self.plain_value(answer if answer.right == ONCE else JsonMark(answer.found, right), place)

    def _fault(self, actual: str, right: str, place: Place) -> None:
        if len(self._faults) < MOST_FAULTS:
            self._faults.append(PlaceFault(place, actual, right))
        else:
            self._more_faults += 1


def _is_right(answer: Any, shape: Shape) -> bool:
    """Return True if a value that is neither a label nor a container fits its shape."""
    match shape:
        case TextShape():
            return isinstance(answer, str) and len(answer) <= shape.most and len(answer.strip()) >= shape.fewest
        case ChoiceShape():
            return isinstance(answer, str) and answer in shape.words
        case BooleanShape():
            return isinstance(answer, bool)
        case NumberShape():
            return (
                isinstance(answer, int if shape.is_whole else int | float)
                and not isinstance(answer, bool)
                and (shape.least is None or answer >= shape.least)
                and (shape.most is None or answer <= shape.most)
            )
        case _:
            return False


def _fold(name: str) -> str:
    return name.strip().lower()
