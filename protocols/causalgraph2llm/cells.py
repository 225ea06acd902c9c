"""Queries of one kind and level about one graph: their number, how many are yes, and which are drawn. The draw depends
only on the graph, kind, level and seed, so that the same queries are asked in every encoding, order and naming."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.errors import TooLarge
from core.graphs.encodings import Encoding
from core.graphs.queries import MASKS, AnswerShape, Asked, Query, QueryLevel, Variant, answer, shape_of
from core.graphs.queries.truths import Truths, bits
from core.graphs.query_space import QuerySpace
from core.seeded_random import permuted
from protocols.causalgraph2llm.graphs import AskedGraph
from protocols.causalgraph2llm.tasks import ALL, EMPTY, LISTED_NAMES, NO, RELEASED, YES

WITHOUT_YES = 10  # size of a balanced cell that has no yes
MOST_NODES = 1_000  # nodes of a graph whose pairs are asked about: half a million pairs
MOST_OF_TRIPLES = 250  # nodes of a graph whose pairs are asked about under every intervention: 15 million triples


@dataclass(frozen=True)
class QueryCell:
    """Queries of one kind and level about one graph."""

    graph: AskedGraph
    asked: Asked
    level: QueryLevel
    sampling: str  # which queries about one variable are included: ALL, BALANCED or RELEASED
    seed: int
    # The query of a run that asks only one; it may name a pair in the order that other runs do not ask
    only: Query | None = None

    @cached_property
    def total(self) -> int:
        """Number of possible queries."""
        return len(self._space) if self.only is None else 1

    @cached_property
    def size(self) -> int:
        """Number of included queries."""
        if self.level is QueryLevel.GRAPH or self.sampling == ALL or self.only is not None:
            return self.total
        return self.yes + self._noes

    @property
    def yes(self) -> int:
        """Number of queries about one variable that are yes; 0 at the other level."""
        if self.only is not None:
            return int(self.label(0) == YES)
        return len(self._yes) if self.level is QueryLevel.NODE else 0

    @property
    def empty(self) -> int:
        """Number of queries about all variables that none answers; 0 at the other level."""
        if self.only is not None:
            return int(self.label(0) == EMPTY)
        return 0 if self.level is QueryLevel.NODE else sum(self._empty)

    def at(self, rank: int) -> int:
        """Return the number, among all queries of this cell, of an included query."""
        if self.level is QueryLevel.GRAPH or self.sampling == ALL or self.only is not None:
            return rank
        return self._yes[rank] if rank < self.yes else self._no(rank - self.yes)

    def turned(self, rank: int) -> int:
        """Return the rank drawn at this position if cells take turns."""
        return permuted(self.seed, f"turn/{self._purpose}", rank, self.size)

    def query(self, number: int) -> Query:
        """Return the query with this number, in the graph's own names."""
        return self._space.query(number) if self.only is None else self.only

    def answers(self, query: Query) -> frozenset[str] | bool:
        """Return the true answer, in the graph's own names."""
        return answer(self.graph.truths, query)

    def label(self, number: int) -> str:
        """Return the true label of the query with this number."""
        if self.only is not None:
            true = self.answers(self.only)
            return (YES if true else NO) if self.level is QueryLevel.NODE else LISTED_NAMES if true else EMPTY
        if self.level is QueryLevel.GRAPH:
            return EMPTY if self._empty[number] else LISTED_NAMES
        place = bisect_left(self._yes, number)
        return YES if place < len(self._yes) and self._yes[place] == number else NO

    # --- what is drawn -------------------------------------------------------------------------------------------

    @cached_property
    def _purpose(self) -> str:
        turned = "reversed/" if self.graph.is_reversed else ""
        return f"{turned}{self.graph.hash}/{self.asked.value}/{self.level.value}"

    @property
    def _noes(self) -> int:
        available = self.total - self.yes
        if not self.yes:
            return min(available, WITHOUT_YES)
        return min(available, self.yes * (2 if self.sampling == RELEASED else 1))

    def _no(self, rank: int) -> int:
        # Half of the no about pairs under an intervention are pairs that only the cut separates, if there are enough.
        parted = min(len(self._parted), (self._noes + 1) // 2)
        if rank < parted:
            return self._parted[permuted(self.seed, f"parted/{self._purpose}", rank, len(self._parted))]
        others = self.total - len(self._not_drawn)
        if rank - parted < others:
            return _missing(self._not_drawn, permuted(self.seed, f"no/{self._purpose}", rank - parted, others))
        rest = rank - others  # fewer others than half: fill up with pairs that the cut separates
        return self._parted[permuted(self.seed, f"parted/{self._purpose}", rest, len(self._parted))]

    @cached_property
    def _not_drawn(self) -> Sequence[int]:
        """Numbers of queries that are yes, or separated by the cut."""
        return array("q", sorted((*self._yes, *self._parted))) if self._parted else self._yes

    # --- what is true --------------------------------------------------------------------------------------------

    @cached_property
    def _space(self) -> QuerySpace:
        return QuerySpace([self.graph.graph], [self.asked], [self.level], [Encoding.JSON])

    @cached_property
    def _empty(self) -> bytes:
        return bytes(not mask for mask in self._masks())

    @cached_property
    def _yes(self) -> Sequence[int]:
        if self.asked is Variant.INTERVENTION_PAIR:
            return self._triples[0]
        n, shape = len(self.graph.graph.nodes), shape_of(self.asked)
        numbers = array("q")
        for row, (named, mask) in enumerate(zip(self._taken(shape, n), self._masks(), strict=True)):
            width = n - len(named)
            numbers.extend(row * width + _rank(place, named) for place in bits(mask))
        return numbers

    @property
    def _parted(self) -> Sequence[int]:
        return self._triples[1] if self.asked is Variant.INTERVENTION_PAIR else array("q")

    @cached_property
    def _triples(self) -> tuple[Sequence[int], Sequence[int]]:
        """Numbers of the triples that are yes, and of those that are no only because of the cut."""
        truths = self.graph.truths
        n = len(truths.nodes)
        self._refuse_more(n, MOST_OF_TRIPLES)
        yes: list[int] = []
        parted: list[int] = []
        for x in range(n):
            cut = truths.cut(x)
            for a in range(n):
                if a != x:
                    others = ~(1 << a | 1 << x)
                    for numbers, mask in (
                        (yes, cut.descendants[a]),
                        (parted, truths.descendants[a] & ~cut.descendants[a]),
                    ):
                        # The number in the order of QuerySpace: by a, then b other than a, then x other than both.
                        numbers += (
                            (a * (n - 1) + _rank(b, (a,))) * (n - 2) + _rank(x, (a, b)) for b in bits(mask & others)
                        )
        return array("q", sorted(yes)), array("q", sorted(parted))

    def _masks(self) -> Iterator[int]:
        """Yield for each query about all variables a bit mask of the nodes that answer."""
        truths, of, shape = self.graph.truths, MASKS[self.asked], shape_of(self.asked)
        n = len(truths.nodes)
        if shape is AnswerShape.ALONE:
            yield of(truths, -1, -1, -1)
        elif shape is AnswerShape.OF:
            yield from (of(truths, x, -1, -1) & ~(1 << x) for x in range(n))
        else:
            yield from (of(truths, -1, a, b) for a, b in self._pairs(truths))

    def _taken(self, shape: AnswerShape, n: int) -> Iterator[tuple[int, ...]]:
        """Yield the places that each query about all variables names."""
        if shape is AnswerShape.ALONE:
            yield ()
        elif shape is AnswerShape.OF:
            yield from ((x,) for x in range(n))
        else:
            yield from self._pairs(self.graph.truths)

    def _pairs(self, truths: Truths) -> Iterator[tuple[int, int]]:
        self._refuse_more(len(truths.nodes), MOST_NODES)
        order = truths.order
        for second in range(len(order)):
            for first in range(second):
                yield order[first], order[second]

    def _refuse_more(self, n: int, most: int) -> None:
        if n > most:
            raise TooLarge(
                f"{self.graph.name} has {n:,} nodes; {self.asked.value} can be asked of graphs of at most {most:,}."
            )


def _rank(place: int, excluded: Sequence[int]) -> int:
    """Return the number of a place among those not taken."""
    return place - sum(other < place for other in excluded)


def _missing(numbers: Sequence[int], k: int) -> int:
    """Return the k-th number, from 0 on, that is missing in this sorted sequence.

    >>> [_missing([0, 2, 3], k) for k in range(3)]
    [1, 4, 5]
    """
    before = bisect_right(range(len(numbers)), k, key=lambda place: numbers[place] - place)
    return k + before
