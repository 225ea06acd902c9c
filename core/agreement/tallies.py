"""Elements that two transcriptions of one figure share, in whole numbers that add up over figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self


class Additive:
    """Tallies of whole numbers: those of several figures are added field by field."""

    __slots__: tuple[str, ...] = ()

    def cells(self) -> tuple[int, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)  # a slotted dataclass's slots are its fields

    def __add__(self, other: Self) -> Self:
        return type(self)(*(one + two for one, two in zip(self.cells(), other.cells(), strict=True)))


@dataclass(frozen=True, slots=True)
class Counts(Additive):
    """Elements in both graphs, in the candidate only, in the reference only."""

    tp: int
    fp: int
    fn: int

    @property
    def reference(self) -> int:
        return self.tp + self.fn

    @property
    def shd(self) -> int:
        return self.fp + self.fn


@dataclass(frozen=True, slots=True)
class SignTable(Additive):
    """Matched edges with a known sign in both graphs, reference first; `unknown` are the other matched edges."""

    both_plus: int = 0
    plus_minus: int = 0
    minus_plus: int = 0
    both_minus: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class DelayTable(Additive):
    """Matched edges by which graph marks a delay on them. An edge listed twice is marked if one of its lines is."""

    both: int = 0
    reference_only: int = 0
    candidate_only: int = 0
    neither: int = 0


@dataclass(frozen=True, slots=True)
class LoopCounts(Additive):
    """Feedback loops by the edges they run along; `capped`: graphs in which not all were listed."""

    common: int = 0
    reference_only: int = 0
    candidate_only: int = 0
    capped: int = 0


@dataclass(frozen=True, slots=True)
class LoopKinds(Additive):
    """Loops of one kind in both graphs, and in either: reinforcing, balancing, undetermined. A loop that is R in one
    graph and B in the other is common, but in no count of `both`; it counts in `either_r` and in `either_b`."""

    both_r: int = 0
    both_b: int = 0
    both_u: int = 0
    either_r: int = 0
    either_b: int = 0
    either_u: int = 0


@dataclass(frozen=True, slots=True)
class NameTable(Additive):
    """Names of the candidate that are aligned with a variable of the reference, by their difference from its name."""

    exact: int = 0
    typo: int = 0
    minor: int = 0
    major: int = 0
