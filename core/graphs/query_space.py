"""All possible queries about some graphs, numbered: counted, sampled and looked up without listing them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from math import comb

from core.errors import BadInput
from core.graphs.encodings.names import Encoding
from core.graphs.graph import CausalGraph
from core.graphs.naming import Naming, reversed_graph
from core.graphs.orders import EdgeOrder, topological
from core.graphs.pairs import pair_at, pair_number
from core.graphs.queries.query import SIX, AnswerShape, Asked, Query, QueryLevel, Variant, shape_of
from core.seeded_random import draw


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedQuery:
    """A query of a space: its number, the place of its graph among the space's, and how that graph is written. The
    query has the graph's own names; with `Naming.REVERSED` it is about the reversed graph."""

    number: int
    graph: int
    encoding: Encoding
    order: EdgeOrder
    naming: Naming
    query: Query


class QuerySpace(Sequence[NumberedQuery]):
    """Every query of these kinds and levels about these graphs, in every encoding, order and naming.

    A graph is a graph without a cycle, or a number of nodes "0" … "n-1" that are in topological order. A pair is asked
    once, A before B in the topological order that keeps node order among equals: in the order of a file, half of all
    pairs could have no mediator. Length, `space[k]` and `number_of` take constant time for any number of queries.

    Raises InvalidGraph for a graph with a cycle.

    >>> space = QuerySpace([27, 37, 10, 20, 30])
    >>> len(space), space[-1].query
    (747026, Query(kind=<QueryKind.CONFOUNDER: 'confounder'>, variant=None, of=None, between=('28', '29'), node='27'))
    """

    def __init__(
        self,
        graphs: Sequence[CausalGraph | int],
        kinds: Sequence[Asked] = SIX,
        levels: Sequence[QueryLevel] = tuple(QueryLevel),
        encodings: Sequence[Encoding] = tuple(Encoding),
        orders: Sequence[EdgeOrder] = (EdgeOrder.GIVEN,),
        namings: Sequence[Naming] = (Naming.GIVEN,),
    ) -> None:
        self._tellings = list(product(dict.fromkeys(namings), dict.fromkeys(orders), dict.fromkeys(encodings)))
        self._told = {telling: place for place, telling in enumerate(self._tellings)}
        self._nodes = {False: [_Nodes.of(graph) for graph in graphs]}
        if Naming.REVERSED in namings:
            turned = (graph if isinstance(graph, int) else reversed_graph(graph).graph for graph in graphs)
            self._nodes[True] = [_Nodes.of(graph) for graph in turned]
        self._blocks = list(product(range(len(graphs)), dict.fromkeys(kinds), dict.fromkeys(levels)))
        self._block = {block: place for place, block in enumerate(self._blocks)}
        sizes = (_count(kind, level, len(self._nodes[False][graph].names)) for graph, kind, level in self._blocks)
        self._starts = [0, *accumulate(sizes)]

    @property
    def per_telling(self) -> int:
        return self._starts[-1]

    def __len__(self) -> int:
        return self.per_telling * len(self._tellings)

    def __getitem__(self, number: int) -> NumberedQuery:  # type: ignore[override]  # a slice would list queries
        """Return the query with this number from 0 on; -1 is the last. Raises IndexError."""
        number, telling, graph, query = self._found(number)
        naming, order, encoding = self._tellings[telling]
        return NumberedQuery(number=number, graph=graph, encoding=encoding, order=order, naming=naming, query=query)

    def query(self, number: int) -> Query:
        """Return the query with this number, regardless of encoding, order and naming. Raises IndexError."""
        return self._found(number)[3]

    def _found(self, number: int) -> tuple[int, int, int, Query]:
        """Return the number from 0 on, the places of the telling and of the graph, and the query."""
        many = len(self)
        if not -many <= number < many:
            raise IndexError(f"This space has {many:,} queries; found the number {number:,}.")
        number %= many
        telling, within = divmod(number, self.per_telling)
        block = bisect_right(self._starts, within) - 1
        graph, kind, level = self._blocks[block]
        nodes = self._nodes[self._tellings[telling][0] is Naming.REVERSED][graph]
        return number, telling, graph, nodes.query(kind, level, within - self._starts[block])

    def number_of(self, query: NumberedQuery) -> int:
        """Return the number of a query, computed from its other fields. Raises BadInput for one outside of this
        space."""
        try:
            telling = self._told[query.naming, query.order, query.encoding]
            block = self._block[query.graph, query.query.asked, query.query.level]
            nodes = self._nodes[query.naming is Naming.REVERSED][query.graph]
            within = nodes.number(query.query)
        except KeyError as error:
            missing = error.args[0]
            words = ", ".join(map(str, missing)) if isinstance(missing, tuple) else missing
            raise BadInput(f"This space has no query with {words}.") from None
        return telling * self.per_telling + self._starts[block] + within

    def sample(self, size: int, seed: int) -> tuple[NumberedQuery, ...]:
        """Return `size` different queries: the k-th number drawn is SHA-256 of seed and k, modulo the length; repeats
        are skipped. A larger sample begins with every smaller one of the same seed. Raises BadInput for too many."""
        if not 0 <= size <= len(self):
            raise BadInput(f"A sample of {size:,} needs as many queries; there are {len(self):,}.")
        numbers: dict[int, None] = {}
        k = 0
        while len(numbers) < size:
            numbers[draw(seed, "query", k, len(self))] = None
            k += 1
        return tuple(self[number] for number in numbers)


def counts(sizes: Iterable[int], kinds: Sequence[Asked] = SIX) -> dict[QueryLevel, dict[Asked, int]]:
    """Count the queries in one encoding about graphs of these numbers of nodes, by level and kind.

    >>> sum(sum(each.values()) for each in counts([27, 37, 10, 20, 30]).values())
    106718
    """
    node_counts = tuple(sizes)
    return {level: {kind: sum(_count(kind, level, n) for n in node_counts) for kind in kinds} for level in QueryLevel}


def _count(kind: Asked, level: QueryLevel, n: int) -> int:
    shape, is_graph = shape_of(kind), level is QueryLevel.GRAPH
    if shape is AnswerShape.ALONE:
        return 1 if is_graph else n
    if shape is AnswerShape.OF:
        return n if is_graph else n * (n - 1)
    if shape is AnswerShape.BETWEEN:
        return comb(n, 2) * (1 if is_graph else n - 2)
    return 0 if is_graph else n * (n - 1) * (n - 2)


@dataclass(frozen=True, slots=True)
class _Nodes:
    """The nodes of one graph: names, places in topological order, and per place the position in that order."""

    names: Sequence[str]
    place: dict[str, int]
    order: Sequence[int]
    rank: Sequence[int]

    @classmethod
    def of(cls, graph: CausalGraph | int) -> _Nodes:
        names = [str(number) for number in range(graph)] if isinstance(graph, int) else graph.nodes
        order = range(graph) if isinstance(graph, int) else topological(graph)
        rank = [0] * len(names)
        for position, place in enumerate(order):
            rank[place] = position
        return cls(names, {name: place for place, name in enumerate(names)}, order, rank)

    def query(self, kind_or_variant: Asked, level: QueryLevel, number: int) -> Query:
        n, names, shape = len(self.names), self.names, shape_of(kind_or_variant)
        kind, variant = (
            (kind_or_variant.kind, kind_or_variant) if isinstance(kind_or_variant, Variant) else (kind_or_variant, None)
        )
        of = between = node = None
        if shape is AnswerShape.OF_BETWEEN:
            first, rest = divmod(number, (n - 1) * (n - 2))
            a, b = first, _free(rest // (n - 2), first)
            between, of = (names[a], names[b]), names[_free(rest % (n - 2), a, b)]
        elif shape is AnswerShape.BETWEEN:
            pair, rest = (number, -1) if level is QueryLevel.GRAPH else divmod(number, n - 2)
            a, b = (self.order[position] for position in pair_at(pair))
            between, node = (names[a], names[b]), None if rest < 0 else names[_free(rest, a, b)]
        elif shape is AnswerShape.OF:
            x, rest = (number, -1) if level is QueryLevel.GRAPH else divmod(number, n - 1)
            of, node = names[x], None if rest < 0 else names[_free(rest, x)]
        elif level is QueryLevel.NODE:
            node = names[number]
        return Query(kind=kind, variant=variant, of=of, between=between, node=node)

    def number(self, query: Query) -> int:
        """Return the number of a query among those of its kind and level. Raises KeyError for a pair in the other order
        and for a variable asked about itself."""
        n, shape = len(self.names), shape_of(query.asked)
        x, node = (-1 if name is None else self.place[name] for name in (query.of, query.node))
        a, b = (-1, -1) if query.between is None else (self.place[name] for name in query.between)
        if shape is AnswerShape.OF_BETWEEN:
            return a * (n - 1) * (n - 2) + _rank(b, a) * (n - 2) + _rank(x, a, b)
        if shape is AnswerShape.BETWEEN:
            if self.rank[a] > self.rank[b]:
                raise KeyError(f"{self.names[a]} before {self.names[b]}")
            pair = pair_number(self.rank[a], self.rank[b])
            return pair if query.node is None else pair * (n - 2) + _rank(node, a, b)
        if shape is AnswerShape.OF:
            if x == node:
                raise KeyError(f"{query.of} twice")
            return x if query.node is None else x * (n - 1) + _rank(node, x)
        return 0 if query.node is None else node


def _free(number: int, *taken: int) -> int:
    for place in sorted(taken):
        number += number >= place
    return number


def _rank(place: int, *taken: int) -> int:
    return place - sum(other < place for other in taken)
