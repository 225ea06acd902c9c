"""The samples of a run by number: which query of which cell, told how. None of them is listed.

All samples, or a number per cell, are numbered in turns: one query of each cell that has another one, told in every
way, then the next. So wherever a run stops, each cell is as full as every other. A random sample draws queries from all
cells together, one after the other, and tells each in every way; a larger one begins with every smaller one.
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

from core.draws import permuted
from core.errors import BadInput
from core.graphs.queries import Level, Variant
from core.runs.options import Settings
from core.words import quoted
from protocols.asked import pairs_of
from protocols.causalgraph2llm.cells import Cell
from protocols.causalgraph2llm.graphs import Naming, Telling, ToldGraph, read_graphs, tell
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
from protocols.making import Inputs, Value


class Numbered(NamedTuple):
    """A sample by its place: the query with this number of a cell, told so."""

    cell: int
    number: int
    telling: Telling


class Turns(NamedTuple):
    """Samples from number `start` on, whose rounds begin with `first`: each asks one query of each of these cells.
    `ends`: after how many samples of a round each cell is done."""

    start: int
    first: int
    cells: tuple[int, ...]
    ends: tuple[int, ...]


@dataclass(frozen=True)
class QuerySlice:
    """`tellings`: of each cell, all that its queries are asked in. `wanted`: how many samples are drawn at random, None
    in turns; `per_cell`: how many queries of each cell, None for all."""

    cells: tuple[Cell, ...]
    tellings: tuple[tuple[Telling, ...], ...]
    wanted: int | None
    per_cell: int | None
    seed: int

    # --- how many ------------------------------------------------------------------------------------------------

    @cached_property
    def samples(self) -> int:
        """How many there are."""
        if self.wanted is None:
            return self._turns[-1].start if self._turns else 0
        most = sum(cell.size * len(told) for cell, told in zip(self.cells, self.tellings, strict=True))
        return min(self.wanted, most)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Of the slice, all its queries told in every way, before any is drawn: `slice`, `per_encoding`, how many
        answers are `yes`, and how many lists are `empty`."""
        of = list(zip(self.cells, map(len, self.tellings), strict=True))
        encodings = {telling.encoding for told in self.tellings for telling in told}
        whole = sum(cell.total * told for cell, told in of)
        return {
            "per_encoding": whole // max(1, len(encodings)),
            "slice": whole,
            "yes": sum(cell.yes * told for cell, told in of),
            "empty": sum(cell.empty * told for cell, told in of),
        }

    def labels(self) -> Mapping[tuple[str, str], Counter[str]]:
        """(task, variant) → true label → samples that are drawn."""
        found: dict[tuple[str, str], Counter[str]] = {}

        def count(cell: Cell, tellings: Sequence[Telling], labels: Mapping[str, int]) -> None:
            for explained, ways in Counter(telling.is_explained for telling in tellings).items():
                part = found.setdefault((cell.asked.value, variant_of(cell.level, explained=explained)), Counter())
                part.update({label: ways * many for label, many in labels.items() if many})

        if self.wanted is None:
            for place, cell in enumerate(self.cells):
                count(cell, self.tellings[place], self._labels_in_turn(place))
            return found
        left, query = self.samples, 0
        while left > 0:
            place, rank = self._drawn(query)
            cell, tellings = self.cells[place], self.tellings[place][:left]
            count(cell, tellings, {cell.label(cell.at(rank)): 1})
            left, query = left - len(tellings), query + 1
        return found

    def _labels_in_turn(self, place: int) -> Mapping[str, int]:
        cell = self.cells[place]
        if self.per_cell is not None and self.per_cell < cell.size:
            return Counter(cell.label(self._in_turn(place, turn)) for turn in range(self.per_cell))
        if cell.level is Level.NODE:
            return {YES: cell.yes, NO: cell.size - cell.yes}
        return {EMPTY: cell.empty, LISTED_NAMES: cell.size - cell.empty}

    # --- which ---------------------------------------------------------------------------------------------------

    def at(self, number: int) -> Numbered:
        """The sample with this number, below `samples`."""
        cell, query, told = self._at(number)
        return Numbered(cell, query, self.tellings[cell][told])

    def between(self, start: int, end: int) -> Iterator[Numbered]:
        """The samples from one number up to another, in order. A query is drawn once, however many of them ask it."""
        while start < end:
            cell, query, told = self._at(start)
            those = self.tellings[cell][told : told + end - start]
            for telling in those:
                yield Numbered(cell, query, telling)
            start += len(those)

    def _at(self, number: int) -> tuple[int, int, int]:
        """The cell of a sample, the number of its query there, and the place of its telling."""
        if self.wanted is None:
            block = self._turns[bisect_right(self._turns, number, key=lambda each: each.start) - 1]
            turn, within = divmod(number - block.start, block.ends[-1])
            place = bisect_right(block.ends, within)
            cell = block.cells[place]
            return cell, self._in_turn(cell, block.first + turn), within - (block.ends[place - 1] if place else 0)
        query, told = self._query_of(number)
        cell, rank = self._drawn(query)
        return cell, self.cells[cell].at(rank), told

    def _in_turn(self, cell: int, turn: int) -> int:
        of = self.cells[cell]
        return of.at(of.turned(turn))

    @cached_property
    def _turns(self) -> tuple[Turns, ...]:
        """Stretches in which the same cells have another query; at the end an empty one, where all samples end."""
        sizes = [cell.size if self.per_cell is None else min(cell.size, self.per_cell) for cell in self.cells]
        found: list[Turns] = []
        start = before = 0
        for size in sorted({*sizes} - {0}):
            cells = tuple(place for place, each in enumerate(sizes) if each > before)
            ends = tuple(accumulate(len(self.tellings[cell]) for cell in cells))
            found.append(Turns(start, before, cells, ends))
            start, before = start + (size - before) * ends[-1], size
        return (*found, Turns(start, before, (), ()))

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(cell.size for cell in self.cells)]

    def _drawn(self, query: int) -> tuple[int, int]:
        """The cell of a query by its place among all that are drawn, and its rank there."""
        at = permuted(self.seed, "sample", query, self._starts[-1])
        cell = bisect_right(self._starts, at) - 1
        return cell, at - self._starts[cell]

    def _query_of(self, number: int) -> tuple[int, int]:
        """The place of a sample's query among those drawn, and of its telling."""
        if self._even:
            return divmod(number, self._even)
        query = bisect_right(self._ends, number)
        return query, number - (self._ends[query - 1] if query else 0)

    @cached_property
    def _even(self) -> int:
        """In how many ways every query is told; 0 where this differs between cells."""
        ways = {len(told) for told in self.tellings}
        return ways.pop() if len(ways) == 1 else 0

    @cached_property
    def _ends(self) -> Sequence[int]:
        """After how many samples each query drawn is done."""
        found, end, query = array("q"), 0, 0
        while end < self.samples:
            end += len(self.tellings[self._drawn(query)[0]])
            found.append(end)
            query += 1
        return found

    # --- how graphs are told -------------------------------------------------------------------------------------

    def told(self, cell: int, telling: Telling) -> ToldGraph:
        """What a model is sent of a cell's graph. Raises BadInput as `tell`."""
        graph = self.cells[cell].graph
        key = graph.hash, graph.is_reversed, telling.text
        if key not in self._told:
            self._told[key] = tell(graph, telling)
        return self._told[key]

    def all_told(self) -> Iterator[tuple[Cell, Telling, ToldGraph]]:
        """Every graph as it is told, once each. Raises BadInput as `tell`."""
        seen = set[Any]()
        for place, cell in enumerate(self.cells):
            for telling in self.tellings[place]:
                key = cell.graph.hash, cell.graph.is_reversed, telling.text
                if key not in seen:
                    seen.add(key)
                    yield cell, telling, self.told(place, telling)

    @cached_property
    def _told(self) -> dict[Any, ToldGraph]:
        return {}


def slice_of(inputs: Inputs, settings: Settings) -> QuerySlice:
    """The samples that these settings want of the graphs. Raises BadInput for a task, variant, encoding, order or
    naming that there is not, InvalidGraph for a graph with a cycle, TooMuch for one too large for what is asked."""
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
    wanted = {name: settings.get(name) for name in (*names, *(part[0] for part in PARTS))}
    key = json.dumps([[each.hash for each in values], wanted], sort_keys=True)
    return _kept(key, _Given(values))


@dataclass(frozen=True, eq=False)
class _Given:
    """Told apart by what the key says of it."""

    values: tuple[Value, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Given)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=4)  # a worker goes on with the same one for hours
def _kept(key: str, given: _Given) -> QuerySlice:
    settings: dict[str, Any] = json.loads(key)[1]
    encodings, orders, names = (chosen(settings, *part) for part in PARTS)
    seed = int(settings["seed"] or 0)
    namings = namings_of(settings, names)
    asked: dict[tuple[str, Level], list[bool]] = {}
    for task, variant in pairs_of(TITLE, TASKS, settings):
        asked.setdefault((task, level_of(variant)), []).append(is_explained(variant))
    graphs = read_graphs(given.values, with_cycle=bool(settings[ONLY_QUERY]))
    found: list[tuple[Cell, tuple[Telling, ...]]] = []
    for is_reversed in (False, True):
        shown_as = [naming for naming in namings if (naming.name == REVERSED) is is_reversed]
        for graph in graphs if shown_as else ():
            seen = graph.turned() if is_reversed else graph
            for (task, level), explained in asked.items():
                if ASKED[task] is Variant.INTERVENTION_PAIR and level is Level.GRAPH:
                    continue
                only = only_query(settings, seen, ASKED[task], level)
                cell = Cell(seen, ASKED[task], level, str(settings["node_sampling"] or BALANCED), seed, only)
                found.append((cell, _tellings(shown_as, orders, encodings, explained)))
    amount = amount_of(settings)
    return QuerySlice(
        cells=tuple(cell for cell, _ in found),
        tellings=tuple(told for _, told in found),
        wanted=int(settings["samples"] or settings["most_samples"] or SAMPLES) if amount == RANDOM else None,
        per_cell=int(settings["per_cell"] or PER_CELL) if amount == CELL else None,
        seed=seed,
    )


def namings_of(settings: Settings, names: Sequence[str]) -> list[Naming]:
    return [Naming(name, _names_seed(settings) if name == NEUTRAL else 0) for name in names]


def pictured(settings: Settings) -> list[Naming]:
    """The namings under which a picture of each graph is needed; none where no picture is chosen. Raises BadInput as
    `chosen`."""
    encodings, _orders, names = (chosen(settings, *part) for part in PARTS)
    return namings_of(settings, names) if PICTURE in encodings else []


def _names_seed(settings: Mapping[str, Any]) -> int:
    said = settings.get("names_seed")
    return 1 if said is None or said == "" else int(said)


def _tellings(
    namings: Sequence[Naming], orders: Sequence[str], encodings: Sequence[str], explained: Sequence[bool]
) -> tuple[Telling, ...]:
    """A picture has no order."""
    return tuple(
        Telling(encoding, order, naming, is_said)
        for naming, order, encoding, is_said in product(namings, orders, encodings, explained)
        if encoding != PICTURE or order == orders[0]
    )


def chosen(settings: Settings, name: str, title: str, choices: Mapping[str, str], usual: str) -> list[str]:
    """The chosen encodings, orders or names, in the order of `choices`. Raises BadInput for one that there is not."""
    said = [each.strip() for each in str(settings.get(name) or usual).split(",") if each.strip()]
    if said == ["all"]:
        return [each for each in choices if each != PICTURE]
    for each in said:
        if each not in choices:
            raise BadInput(f"{title}: found {quoted(each)}; choose from all, {', '.join(choices)}.")
    return [each for each in choices if each in said]
