"""Shapes of JSON answers: keys, types, limits, closed lists of words. `objects.py` checks answers against a shape.
`right` describes the expected value, in words for a model that is asked again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from core.labels import LabelSet


@dataclass(frozen=True, slots=True)
class TextShape:
    """A text of at most `most` characters, and at least `fewest` when stripped."""

    most: int = 4_000
    fewest: int = 0

    @property
    def right(self) -> str:
        return f"a text of {_between(self.fewest, self.most, 'characters')}"


@dataclass(frozen=True, slots=True)
class ChoiceShape:
    """One of these words, in exactly this spelling and case."""

    words: tuple[str, ...]

    @property
    def right(self) -> str:
        return _one_of(self.words)


@dataclass(frozen=True, slots=True)
class LabelShape:
    """A label of a closed set, in any of its spellings; the value becomes the label."""

    labels: LabelSet

    @property
    def right(self) -> str:
        return _one_of((*self.labels.classes, *self.labels.others))


@dataclass(frozen=True, slots=True)
class NumberShape:
    """A number between two inclusive bounds; None is no bound. If `is_whole`, an integer (2.0 is none)."""

    least: float | None = None
    most: float | None = None
    is_whole: bool = False

    @property
    def right(self) -> str:
        kind = "a whole number" if self.is_whole else "a number"
        if self.least is not None and self.most is not None:
            return f"{kind} from {self.least:g} to {self.most:g}"
        if self.least is not None:
            return f"{kind} of at least {self.least:g}"
        return kind if self.most is None else f"{kind} of at most {self.most:g}"


@dataclass(frozen=True, slots=True)
class BooleanShape:
    @property
    def right(self) -> str:
        return "true or false"


@dataclass(frozen=True, slots=True)
class ListShape:
    """A list of `fewest` to `most` values of one shape."""

    of: Shape
    most: int = 1_000
    fewest: int = 0

    @property
    def right(self) -> str:
        what = "objects" if isinstance(self.of, ObjectShape) else "values"
        return f"a list of {_between(self.fewest, self.most, what)}"


@dataclass(frozen=True, slots=True)
class Key:
    """A key of an object, by default required. `is_nullable` allows JSON's null."""

    name: str
    shape: Shape
    is_required: bool = True
    is_nullable: bool = False

    @property
    def right(self) -> str:
        return f"{self.shape.right}, or null" if self.is_nullable else self.shape.right


@dataclass(frozen=True, slots=True)
class ObjectShape:
    """An object with these keys; unknown keys are stored and noted. Case and surrounding blanks of a key are ignored,
    unless two names differ in nothing else. Raises ValueError for no keys, and for an empty or repeated name."""

    keys: tuple[Key, ...]

    def __post_init__(self) -> None:
        names = self.names
        if not names or "" in names or len(set(names)) < len(names):
            raise ValueError(f"An object needs keys with a name each, none twice; found {names}.")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(key.name for key in self.keys)

    @property
    def right(self) -> str:
        return f"an object with {', '.join(key.name for key in self.keys if key.is_required) or self.names[0]}"


Shape: TypeAlias = TextShape | ChoiceShape | LabelShape | NumberShape | BooleanShape | ListShape | ObjectShape


def _one_of(words: tuple[str, ...]) -> str:
    return f"one of {', '.join(words)}"


def _between(fewest: int, most: int, what: str) -> str:
    return f"at most {most:,} {what}" if not fewest else f"{fewest:,} to {most:,} {what}"
