"""Limits of files of graphs. Counts are checked while reading, so that time, memory and reply stay bounded for any
file."""

from __future__ import annotations

from core.errors import UnreadableFile

MOST_NODES = MOST_EDGES = 20_000  # of one graph: the measures and the table of the graph lab still respond at this size
MOST_ROWS = 100_000  # of one graph's table, list or lines: edges, repeated ones and faulty ones
MOST_FAULTS = 10_000  # faulty rows of one file; with more its format was probably misjudged
MOST_TOGETHER = 200_000  # nodes and edges of all graphs of a file: the maximum of one import
MOST_GRAPHS = 2_000  # of one file: the server renders each on a card or a line of its own
MOST_LISTED = 1_000  # notices of one kind; the number of further ones is shown


def too_many(file: str, most: int, what: str, where: str | int | None = None) -> UnreadableFile:
    """Return the error for a file with more of something than is read; `where` counting stopped, as words or as a line.

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
