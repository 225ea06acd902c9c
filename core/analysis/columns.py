"""Items of runs as columns: a hundred thousand items are described by about a thousand kinds of item."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.analysis.items import ResultItem
from core.scoring.calibration import RatedAnswer

Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Origins:
    """All items that were read, by position; stored once for all tables that show some of them.

    Attributes:
        ids: ids of the items
        samples: number of each item's sample
        clusters: number of each item's cluster; below 0 for an item that is drawn alone in an interval
        names: names of the clusters, by number
    """

    ids: NDArray[np.object_]
    samples: Numbers
    clusters: Numbers
    names: Sequence[str] = ()


class ItemColumns:
    """Many items: `kinds` of them, in the order of their first items, and which of these each item is (`numbers`).

    Items of a kind are alike in all that a table counts, so that a table of a hundred thousand items inspects about a
    thousand kinds. Each kind has an item. `positions`: indices of the items among those of `origins`.
    """

    def __init__(self, kinds: Sequence[ResultItem], numbers: Numbers, positions: Numbers, origins: Origins) -> None:
        self.kinds, self.numbers, self._positions, self._origins = kinds, numbers, positions, origins
        self._taken: dict[tuple[int, ...], ItemColumns] | None = None
        self._drawn: DrawnItems | None = None

    @classmethod
    def of(cls, items: Iterable[ResultItem]) -> ItemColumns:
        """Build the columns from single items."""
        builder = ColumnsBuilder()
        for each in items:
            builder.add(each)
        return builder.columns()

    def __len__(self) -> int:
        return len(self.numbers)

    def shared(self) -> ItemColumns:
        """The same items, which keep what is taken of them and how they are drawn: for several scores of one cell."""
        found = ItemColumns(self.kinds, self.numbers, self._positions, self._origins)
        found._taken = {}
        return found

    def where(self, is_in: Callable[[ResultItem], bool]) -> ItemColumns:
        """The items whose kind is so, in their order."""
        return self.taken([number for number, kind in enumerate(self.kinds) if is_in(kind)])

    def taken(self, kinds: Sequence[int]) -> ItemColumns:
        """The items of these kinds, whose numbers rise, in their order."""
        if len(kinds) == len(self.kinds):
            return self
        if self._taken is None:
            return self._some(kinds)
        key = tuple(kinds)
        if key not in self._taken:
            self._taken[key] = self._some(kinds).shared()
        return self._taken[key]

    def _some(self, kinds: Sequence[int]) -> ItemColumns:
        order, starts = self._by_kind
        pieces = [order[starts[kind] : starts[kind + 1]] for kind in kinds]
        found = np.sort(np.concatenate(pieces)) if pieces else np.zeros(0, dtype=np.intp)
        place = np.zeros(len(self.kinds), dtype=np.int32)
        place[list(kinds)] = np.arange(len(kinds), dtype=np.int32)
        some = [self.kinds[kind] for kind in kinds]
        return ItemColumns(some, place[self.numbers[found]], self._positions[found], self._origins)

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(self._origins.ids[self._positions].tolist())

    @property
    def samples(self) -> Numbers:
        """The number of each item's sample."""
        return self._origins.samples[self._positions]

    @property
    def sample_count(self) -> int:
        return int(np.count_nonzero(np.bincount(self.samples)))

    @property
    def counts(self) -> list[int]:
        """Items of each kind."""
        found: list[int] = np.bincount(self.numbers, minlength=len(self.kinds)).tolist()
        return found

    @property
    def asked_again(self) -> dict[str, int]:
        """Model → how many of its items were asked again after a reply that could not be read."""
        found: dict[str, int] = {}
        for kind, count in self.counted():
            if kind.is_asked_again:
                found[kind.model] = found.get(kind.model, 0) + count
        return found

    def counted(self) -> Iterator[tuple[ResultItem, int]]:
        """Every kind with how many items it has."""
        return zip(self.kinds, self.counts, strict=True)

    def each(self) -> Iterator[tuple[ResultItem, str]]:
        """Every item's kind and id, in order."""
        for number, item_id in zip(self.numbers.tolist(), self.ids, strict=True):
            yield self.kinds[number], item_id

    def drawn(self) -> DrawnItems:
        """The items as they are drawn again for an interval."""
        found = self._drawn or self._as_drawn()
        if self._taken is not None:
            self._drawn = found
        return found

    def _as_drawn(self) -> DrawnItems:
        clusters = self._origins.clusters[self._positions].astype(np.int64)
        alone = clusters < 0
        clusters[alone] = len(self._origins.ids) + np.flatnonzero(alone)
        pairs = clusters * max(1, len(self.kinds)) + self.numbers
        _, first, counts = np.unique(pairs, return_index=True, return_counts=True)
        order = np.argsort(first)
        first, counts = first[order], counts[order]
        return DrawnItems(self.numbers[first], counts, clusters[first])

    def cluster_name(self, cluster: int) -> str:
        """Return the name of a cluster of `drawn`; empty for an item that is drawn alone."""
        names = self._origins.names
        return names[cluster] if cluster < len(names) else ""

    @cached_property
    def _by_kind(self) -> tuple[NDArray[np.intp], list[int]]:
        """The items in the order of their kinds, and where each kind begins; at the end, how many there are."""
        return np.argsort(self.numbers, kind="stable"), [0, *accumulate(self.counts)]


@dataclass(frozen=True, slots=True)
class DrawnItems:
    """Items as an interval draws them: a row for each kind within each cluster, in the order of the first items.

    Attributes:
        kinds: number of each row's kind
        counts: number of items of this kind in the cluster
        units: number of the cluster
    """

    kinds: Numbers
    counts: NDArray[np.int64]
    units: NDArray[np.int64]

    @property
    def clusters(self) -> list[int]:
        found: list[int] = self.units.tolist()
        return found

    def of(self, values: Sequence[float]) -> NDArray[Any]:
        """Return the value of each row's kind. `values`: by kind."""
        return np.asarray(values)[self.kinds]


class ColumnsBuilder:
    """Puts items into columns one after the other; equal kinds become one."""

    def __init__(self) -> None:
        self._kinds: list[ResultItem] = []
        self._known: dict[Hashable, int] = {}
        self._numbers, self._samples, self._clusters = array("i"), array("i"), array("i")
        self._ids: list[str] = []
        self._seen, self._papers = _Places(), _Places()

    def add(self, item: ResultItem) -> None:
        """An item that is there as a whole. One with probabilities is a kind of its own."""
        key: Hashable = None
        if item.probabilities is None:
            said = (tuple(sorted(each.items())) for each in (item.labels, item.measures))
            key = (*(getattr(item, name) for name in _ALIKE), *said)
        number = self.known(key)
        if number is None:
            number = self.new_kind(key, replace(item, item_id="", sample="", cluster=None))
        self.put(number, item.item_id, item.sample, item.cluster)

    def known(self, key: Hashable) -> int | None:
        """The number of the kind that `key` names; None for one that is new, and of no key."""
        return None if key is None else self._known.get(key)

    def new_kind(self, key: Hashable, kind: ResultItem) -> int:
        """The number of a kind, from now on known by its key; None: it is of one item alone."""
        number = len(self._kinds)
        self._kinds.append(kind)
        if key is not None:
            self._known[key] = number
        return number

    def put(self, number: int, item_id: str, sample: str, cluster: str | None) -> None:
        """An item of the kind of this number."""
        self._numbers.append(number)
        self._ids.append(item_id)
        self._samples.append(self._seen[sample])
        self._clusters.append(-1 if cluster is None else self._papers[cluster])

    def put_many(
        self, numbers: Iterable[int], ids: Iterable[str], samples: Iterable[str], clusters: Iterable[str]
    ) -> None:
        """Items of the kinds of these numbers, by column: of a hundred thousand in a third of the time."""
        self._numbers.extend(numbers)
        self._ids.extend(ids)
        self._samples.extend(map(self._seen.__getitem__, samples))
        self._clusters.extend(map(self._papers.__getitem__, clusters))

    def columns(self) -> ItemColumns:
        numbers, samples, clusters = (
            np.array(each, dtype=np.int32) for each in (self._numbers, self._samples, self._clusters)
        )
        ids, positions = np.array(self._ids, dtype=np.object_), np.arange(len(self._ids), dtype=np.int32)
        return ItemColumns(self._kinds, numbers, positions, Origins(ids, samples, clusters, list(self._papers)))


class _Places(dict[str, int]):
    """Each name with its place among those that were asked for, in the order in which they were."""

    def __missing__(self, name: str) -> int:
        place = self[name] = len(self)
        return place


_ALIKE = (
    *("run", "model", "task", "variant", "status", "answer", "step", "predicted", "score", "is_right", "said"),
    "is_asked_again",
)


def judged_of(items: ItemColumns) -> list[RatedAnswer]:
    """The scored items of a true label with their probabilities, named by `item_id`."""
    return [
        RatedAnswer(each.answer, each.probabilities, item_id)
        for each, item_id in items.each()
        if each.is_scored and each.answer is not None
    ]
