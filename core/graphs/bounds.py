"""How much of a file of graphs is read. Everything is counted while it is read, so that neither time nor memory nor the
answer grows with a file that nobody could use."""

from __future__ import annotations

from core.errors import UnreadableFile

MOST_NODES = MOST_EDGES = 20_000
"""Of one graph: the measures and the table of the graph lab still answer at this size."""
MOST_ROWS = 100_000
"""Of one graph's table, list or lines: edges, repeated ones and faulty ones."""
MOST_FAULTS = 10_000
"""Faulty rows of one file; with more it is not what it was taken for."""
MOST_TOGETHER = 200_000
"""Nodes and edges of all graphs of a file: what one import may keep."""
MOST_GRAPHS = 2_000
"""Graphs of one file: each is looked at on a card or a line of its own, by the server that others work on."""
MOST_LISTED = 1_000
"""Notices of one kind; how many more there are is said."""


def too_many(file: str, most: int, what: str, where: str | int | None = None) -> UnreadableFile:
    """The refusal of a file with more of something than is read; `where` counting stopped, as words or as a line.

    >>> str(too_many("a.csv", MOST_EDGES, "edges", 20_002))
    'a.csv has more than 20,000 edges (line 20,002), the maximum. Split it.'
    """
    place = f"line {where:,}" if isinstance(where, int) else where
    shown = f" ({place})" if place else ""
    return UnreadableFile(f"{file} has more than {most:,} {what}{shown}, the maximum. Split it.")


def refuse_more(
    file: str, where: str | int | None, *, edges: int = 0, nodes: int = 0, rows: int = 0, faults: int = 0
) -> None:
    """Raise UnreadableFile for the first of these counts of one graph that is beyond what is read."""
    if edges > MOST_EDGES:
        raise too_many(file, MOST_EDGES, "edges", where)
    if nodes > MOST_NODES:
        raise too_many(file, MOST_NODES, "nodes", where)
    if rows > MOST_ROWS:
        raise too_many(file, MOST_ROWS, "rows", where)
    if faults > MOST_FAULTS:
        raise too_many(file, MOST_FAULTS, "faulty rows", where)
