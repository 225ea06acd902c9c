"""Samples of a run by number: a query of a cell in one encoding. They are computed, not listed.

If all samples or a number per cell are asked, cells take turns: one query of each unfinished cell, in every encoding,
then the next. So all cells are equally full whenever a run stops. A random sample draws queries from all cells together
and asks each in every encoding; a larger sample begins with every smaller one.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, product
from typing import Any, NamedTuple

from core.errors import BadInput
from core.graphs.queries import QueryLevel, Variant
from core.runs.options import Settings
from core.seeded_random import permuted
from core.words import quoted
from protocols.causalgraph2llm.cells import QueryCell
from protocols.causalgraph2llm.graphs import GraphEncodingVariant, ShownGraph, VariableNaming, read_graphs, tell
from protocols.causalgraph2llm.named import only_query
from protocols.causalgraph2llm.tasks import (
    ASKED,
    BALANCED,
    CELL,
    EMPTY,
    GRAPHS,
    LISTED_NAMES,
    NEUTRAL,
    NO,
    ONLY_QUERY,
    PARTS,
    PER_CELL,
    PICTURE,
    RANDOM,
    REVERSED,
    SAMPLES,
    TASKS,
    TITLE,
    YES,
    amount_of,
    is_explained,
    level_of,
    variant_of,
)
from protocols.step_values import Inputs, Value
from protocols.task_variants import pairs_of


class NumberedQueries(NamedTuple):
    """A sample by cell, number of the query in it, and encoding."""

    cell: int
    number: int
    telling: GraphEncodingVariant


class QueryRotation(NamedTuple):
    """Consecutive rounds that ask one query of each of the same cells."""

    start: int  # number of the first sample
    first: int  # number of the first round
    cells: tuple[int, ...]
    ends: tuple[int, ...]  # samples of a round up to the end of each cell


@dataclass(frozen=True)
class QuerySlice:
    """The samples that a run's settings select."""

    cells: tuple[QueryCell, ...]
    tellings: tuple[tuple[GraphEncodingVariant, ...], ...]  # of each cell, all encodings in which its queries are asked
    wanted: int | None  # size of the random sample; None if cells take turns
    per_cell: int | None  # queries of each cell; None for all
    seed: int

    # --- how many ------------------------------------------------------------------------------------------------

    @cached_property
    def samples(self) -> int:
        """Number of samples."""
        if self.wanted is None:
            return self._turns[-1].start if self._turns else 0
        most = sum(cell.size * len(encodings) for cell, encodings in zip(self.cells, self.tellings, strict=True))
        return min(self.wanted, most)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Counts over all queries in every encoding, before any draw. `slice` and `per_encoding` are sizes; `yes`
        counts answers, `empty` lists."""
        of = list(zip(self.cells, map(len, self.tellings), strict=True))
        encodings = {telling.encoding for count in self.tellings for telling in count}
        whole = sum(cell.total * count for cell, count in of)
        return {
            "per_encoding": whole // max(1, len(encodings)),
            "slice": whole,
            "yes": sum(cell.yes * count for cell, count in of),
            "empty": sum(cell.empty * count for cell, count in of),
        }

    def labels(self) -> Mapping[tuple[str, str], Counter[str]]:
        """Return (task, variant) → true label → drawn samples."""
        by_part: dict[tuple[str, str], Counter[str]] = {}

        def count(cell: QueryCell, tellings: Sequence[GraphEncodingVariant], labels: Mapping[str, int]) -> None:
            for explained, ways in Counter(telling.is_explained for telling in tellings).items():
                part = by_part.setdefault((cell.asked.value, variant_of(cell.level, explained=explained)), Counter())
                part.update({label: ways * count_sum for label, count_sum in labels.items() if count_sum})

        if self.wanted is None:
            for place, cell in enumerate(self.cells):
                count(cell, self.tellings[place], self._labels_in_turn(place))
            return by_part
        left, query = self.samples, 0
        while left > 0:
            place, rank = self._drawn(query)
            cell, tellings = self.cells[place], self.tellings[place][:left]
            count(cell, tellings, {cell.label(cell.at(rank)): 1})
            left, query = left - len(tellings), query + 1
        return by_part

    def _labels_in_turn(self, place: int) -> Mapping[str, int]:
        cell = self.cells[place]
        if self.per_cell is not None and self.per_cell < cell.size:
            return Counter(cell.label(self._in_turn(place, turn)) for turn in range(self.per_cell))
        if cell.level is QueryLevel.NODE:
            return {YES: cell.yes, NO: cell.size - cell.yes}
        return {EMPTY: cell.empty, LISTED_NAMES: cell.size - cell.empty}

    # --- which ---------------------------------------------------------------------------------------------------

    def at(self, number: int) -> NumberedQueries:
        """Return the sample with this number, below `samples`."""
        cell, query, place = self._at(number)
        return NumberedQueries(cell, query, self.tellings[cell][place])

    def between(self, start: int, end: int) -> Iterator[NumberedQueries]:
        """Yield the samples from one number to another. A query is drawn once, however many samples ask it."""
        while start < end:
            cell, query, place = self._at(start)
            in_range = self.tellings[cell][place : place + end - start]
            for telling in in_range:
                yield NumberedQueries(cell, query, telling)
            start += len(in_range)

    def _at(self, number: int) -> tuple[int, int, int]:
        """Return the cell of a sample, the number of its query there, and the place of its encoding."""
        if self.wanted is None:
            block = self._turns[bisect_right(self._turns, number, key=lambda each: each.start) - 1]
            turn, within = divmod(number - block.start, block.ends[-1])
            place = bisect_right(block.ends, within)
            cell = block.cells[place]
            return cell, self._in_turn(cell, block.first + turn), within - (block.ends[place - 1] if place else 0)
        if self._even:
            query, encoding_place = divmod(number, self._even)
        else:
            query = bisect_right(self._ends, number)
            encoding_place = number - (self._ends[query - 1] if query else 0)
        cell, rank = self._drawn(query)
        return cell, self.cells[cell].at(rank), encoding_place

    def _in_turn(self, cell: int, turn: int) -> int:
        of = self.cells[cell]
        return of.at(of.turned(turn))

    @cached_property
    def _turns(self) -> tuple[QueryRotation, ...]:
        """Stretches in which the same cells have another query, and an empty one at the end of all samples."""
        sizes = [cell.size if self.per_cell is None else min(cell.size, self.per_cell) for cell in self.cells]
        stretches: list[QueryRotation] = []
        start = before = 0
        for size in sorted({*sizes} - {0}):
            cells = tuple(place for place, each in enumerate(sizes) if each > before)
            ends = tuple(accumulate(len(self.tellings[cell]) for cell in cells))
            stretches.append(QueryRotation(start, before, cells, ends))
            start, before = start + (size - before) * ends[-1], size
        return (*stretches, QueryRotation(start, before, (), ()))

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(cell.size for cell in self.cells)]

    def _drawn(self, query: int) -> tuple[int, int]:
        """Return the cell of the query drawn at this place, and its rank there."""
        at = permuted(self.seed, "sample", query, self._starts[-1])
        cell = bisect_right(self._starts, at) - 1
        return cell, at - self._starts[cell]

    @cached_property
    def _even(self) -> int:
        """Number of encodings per query; 0 if it differs between cells."""
        ways = {len(encodings) for encodings in self.tellings}
        return ways.pop() if len(ways) == 1 else 0

    @cached_property
    def _ends(self) -> Sequence[int]:
        """Number of samples up to the end of each drawn query."""
        ends, end, query = array("q"), 0, 0
        while end < self.samples:
            end += len(self.tellings[self._drawn(query)[0]])
            ends.append(end)
            query += 1
        return ends

    # --- encoded graphs ------------------------------------------------------------------------------------------

    def encoded(self, cell: int, telling: GraphEncodingVariant) -> ShownGraph:
        """Return a cell's graph as sent to a model. Raises BadInput as `tell`."""
        graph = self.cells[cell].graph
        key = graph.hash, graph.is_reversed, telling.text
        if key not in self._encoded:
            self._encoded[key] = tell(graph, telling)
        return self._encoded[key]

    def all_encoded(self) -> Iterator[tuple[QueryCell, GraphEncodingVariant, ShownGraph]]:
        """Yield every graph in each of its texts once. Raises BadInput as `tell`."""
        yielded = set[Any]()
        for place, cell in enumerate(self.cells):
            for telling in self.tellings[place]:
                key = cell.graph.hash, cell.graph.is_reversed, telling.text
                if key not in yielded:
                    yielded.add(key)
                    yield cell, telling, self.encoded(place, telling)

    @cached_property
    def _encoded(self) -> dict[Any, ShownGraph]:
        return {}


def slice_of(inputs: Inputs, settings: Settings) -> QuerySlice:
    """Return the samples that these settings select. Raises BadInput for an unknown task, variant, encoding, order or
    naming, InvalidGraph for a graph with a cycle, TooLarge for one too large for its queries."""
    values = inputs.values.get(GRAPHS, ())
    names = (
        "tasks",
        "variants",
        "seed",
        "most_samples",
        "node_sampling",
        "amount",
        "samples",
        "per_cell",
        "names_seed",
        ONLY_QUERY,
    )
    relevant = {name: settings.get(name) for name in (*names, *(part[0] for part in PARTS))}
    key = json.dumps([[each.hash for each in values], relevant], sort_keys=True)
    return _build_slice(key, _GraphValues(values))


@dataclass(frozen=True, eq=False)
class _GraphValues:
    """Argument that the cache ignores: all instances are equal, since the key has the hashes."""

    values: tuple[Value, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _GraphValues)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=4)  # a worker uses the same one for hours
def _build_slice(key: str, graph_values: _GraphValues) -> QuerySlice:
    settings: dict[str, Any] = json.loads(key)[1]
    encodings, orders, names = (chosen(settings, *part) for part in PARTS)
    seed = int(settings["seed"] or 0)
    namings = namings_of(settings, names)
    queries: dict[tuple[str, QueryLevel], list[bool]] = {}
    for task, variant in pairs_of(TITLE, TASKS, settings):
        queries.setdefault((task, level_of(variant)), []).append(is_explained(variant))
    graphs = read_graphs(graph_values.values, with_cycle=bool(settings[ONLY_QUERY]))
    cells: list[tuple[QueryCell, tuple[GraphEncodingVariant, ...]]] = []
    for is_reversed in (False, True):
        shown_as = [naming for naming in namings if (naming.name == REVERSED) is is_reversed]
        for graph in graphs if shown_as else ():
            shown_graph = graph.turned() if is_reversed else graph
            for (task, level), explained in queries.items():
                if ASKED[task] is Variant.INTERVENTION_PAIR and level is QueryLevel.GRAPH:
                    continue
                only = only_query(settings, shown_graph, ASKED[task], level)
                cell = QueryCell(
                    shown_graph, ASKED[task], level, str(settings["node_sampling"] or BALANCED), seed, only
                )
                cells.append((cell, _tellings(shown_as, orders, encodings, explained)))
    amount = amount_of(settings)
    return QuerySlice(
        cells=tuple(cell for cell, _ in cells),
        tellings=tuple(tellings for _, tellings in cells),
        wanted=int(settings["samples"] or settings["most_samples"] or SAMPLES) if amount == RANDOM else None,
        per_cell=int(settings["per_cell"] or PER_CELL) if amount == CELL else None,
        seed=seed,
    )


def namings_of(settings: Settings, names: Sequence[str]) -> list[VariableNaming]:
    option = settings.get("names_seed")
    seed = 1 if option is None or option == "" else int(option)
    return [VariableNaming(name, seed if name == NEUTRAL else 0) for name in names]


def pictured(settings: Settings) -> list[VariableNaming]:
    """Return the namings that need a picture of each graph; empty without the picture encoding. Raises BadInput as
    `chosen`."""
    encodings, _orders, names = (chosen(settings, *part) for part in PARTS)
    return namings_of(settings, names) if PICTURE in encodings else []


def _tellings(
    namings: Sequence[VariableNaming], orders: Sequence[str], encodings: Sequence[str], explained: Sequence[bool]
) -> tuple[GraphEncodingVariant, ...]:
    return tuple(
        GraphEncodingVariant(encoding, order, naming, explains)
        for naming, order, encoding, explains in product(namings, orders, encodings, explained)
        if encoding != PICTURE or order == orders[0]  # a picture has no order
    )


def chosen(settings: Settings, name: str, title: str, choices: Mapping[str, str], usual: str) -> list[str]:
    """Return the chosen encodings, orders or names, in the order of `choices`. Raises BadInput for an unknown one."""
    names = [each.strip() for each in str(settings.get(name) or usual).split(",") if each.strip()]
    if names == ["all"]:
        return [each for each in choices if each != PICTURE]
    for choice in names:
        if choice not in choices:
            raise BadInput(f"{title}: found {quoted(choice)}; choose from all, {', '.join(choices)}.")
    return [each for each in choices if each in names]
