"""Kinds of items, and numbers of them that are computed once for all the cells of a table."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from core.analysis.items import ResultItem

Array = NDArray[np.float64]
Coded = TypeVar("Coded", bound=Hashable)


class Outcome(NamedTuple):
    """The part of an item that counts of a cell distinguish."""

    status: str
    is_asked_again: bool
    is_empty: bool


class Kinds(Sequence[ResultItem]):
    """Some of the kinds of a frame, or all of them. A number of a kind is computed once for the frame, so that each
    cell, which has some of the kinds, only takes its own."""

    def __init__(self, items: Sequence[ResultItem], whole: Kinds | None = None, places: NDArray[np.intp] | None = None):
        """`whole`: the kinds of the frame, at whose `places` these are; None: these are all."""
        self._items, self._whole, self._places = items, whole or self, places
        self._values: dict[Hashable, Array] = {}
        self._coded: dict[Hashable, tuple[list[Any], NDArray[np.intp]]] = {}

    @overload
    def __getitem__(self, place: int) -> ResultItem: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[ResultItem]: ...
    def __getitem__(self, place: int | slice) -> ResultItem | Sequence[ResultItem]:
        return self._items[place]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[ResultItem]:
        return iter(self._items)

    def taken(self, numbers: NDArray[np.intp]) -> Kinds:
        """Return the kinds of these numbers."""
        items = [self._items[number] for number in numbers.tolist()]
        return Kinds(items, self._whole, numbers if self._places is None else self._places[numbers])

    def measure(self, name: str) -> Array:
        """Return the value of a measure of each kind; NaN where it is undefined."""
        every = self._whole._values.get(name)
        if every is None:  # without a call for each kind: a table may have dozens of measures
            every = np.array([kind.measures.get(name, np.nan) for kind in self._whole], dtype=np.float64)
            self._whole._values[name] = every
        return every if self._places is None else every[self._places]

    @property
    def are_scored(self) -> NDArray[np.bool_]:
        return self.numbers("is_scored", lambda kind: kind.is_scored).astype(bool)

    def numbers(self, key: Hashable, of: Callable[[ResultItem], float]) -> Array:
        """Return a number of each kind. `key`: names what `of` computes, since two functions of it are not equal."""
        every = self._whole._values.get(key)
        if every is None:
            every = np.fromiter(map(of, self._whole), np.float64, len(self._whole))
            self._whole._values[key] = every
        return every if self._places is None else every[self._places]

    def coded(self, key: Hashable, of: Callable[[ResultItem], Coded]) -> tuple[list[Coded], NDArray[np.intp]]:
        """Return the distinct values of all kinds of the frame, in the order of their first, and which of them each of
        these kinds has. `key` as of `numbers`."""
        if key not in self._whole._coded:
            values = list(map(of, self._whole))
            place = {value: number for number, value in enumerate(dict.fromkeys(values))}
            self._whole._coded[key] = list(place), np.array([place[each] for each in values], dtype=np.intp)
        listed, which = self._whole._coded[key]
        return listed, which if self._places is None else which[self._places]

    def outcomes(self) -> tuple[list[Outcome], NDArray[np.intp]]:
        return self.coded("outcome", lambda kind: Outcome(kind.status, kind.is_asked_again, kind.is_empty))
