"""Figures that an imported graph may belong to: those with drawn graphs that share names with it. Shared names are
found by the index of name keys, never by reading all names. No function here commits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from store.papers.papers import TRAINING_IDS
from store.sql_in import among
from store.tables import GraphRow, NodeRow
from store.tables.graphs import NAME_KEY

LEAST_EQUAL = 3
"""Minimum number of names, equal after folding, at which two graphs may be of one figure."""
DRAWN = ("transcription", "ground truth")
"""Kinds of graphs that people drew of a figure."""


def figures_like(
    session: Session, graph_ids: Collection[str] | None = None, figure_ids: Collection[str] | None = None
) -> dict[str, frozenset[str]]:
    """Return imported graph → figures of which people drew (drafts included) at least `LEAST_EQUAL` of its names.

    Only graphs without a figure, optionally only `graph_ids` and `figure_ids`; never training figures. Graphs without a
    match are missing. Four queries of one table each, so that no query planner can choose a slow join order; the time
    grows with the names of the smaller side and their occurrences, not with graphs × figures.
    """
    if (graph_ids is not None and not graph_ids) or (figure_ids is not None and not figure_ids):
        return {}
    drawn_graphs = select(GraphRow.id, _FIGURE).where(*_DRAWN)
    if figure_ids is not None:
        drawn_graphs = drawn_graphs.where(among(session, _FIGURE, figure_ids))
    drawn = {row[0]: row[1] for row in session.execute(drawn_graphs)}
    loose_graphs = select(GraphRow.id).where(*_LOOSE)
    if graph_ids is not None:
        loose_graphs = loose_graphs.where(among(session, GraphRow.id, graph_ids))
    loose = set(session.exec(loose_graphs))
    few: Collection[str] = loose if len(loose) <= len(drawn) else drawn.keys()
    query = select(*_NODES).where(among(session, NodeRow.graph_id, few))  # core columns: ORM rows take twice as long
    own = list(session.connection().execute(query))
    others = select(*_NODES).where(among(session, NAME_KEY, {key for key, _ in own}))
    rows = [*own, *session.connection().execute(others)]
    figures, drawn_in = _by_name((key, drawn[graph_id]) for key, graph_id in rows if graph_id in drawn)
    shared: dict[str, set[int]] = defaultdict(set)
    for key, graph_id in rows:
        if graph_id in loose and key in drawn_in:
            shared[graph_id].add(key)
    masks = {graph_id: _at_least(keys, drawn_in) for graph_id, keys in shared.items() if len(keys) >= LEAST_EQUAL}
    return {
        graph_id: frozenset(figure_id for place, figure_id in enumerate(figures) if mask >> place & 1)
        for graph_id, mask in masks.items()
        if mask
    }


def stamps(session: Session) -> tuple[int, dict[str, tuple[int, int]]]:
    """Return a version of the input of `figures_like`: the number of imports without a figure, and per figure the
    number of its graphs and the sum of their versions."""
    loose = select(func.count()).select_from(GraphRow).where(*_LOOSE)
    columns: Any = (GraphRow.figure_id, func.count(), func.sum(GraphRow.version))
    query = select(*columns).where(*_DRAWN).group_by(GraphRow.figure_id)
    return session.exec(loose).one(), {row[0]: (row[1], row[2]) for row in session.execute(query)}


_FIGURE = col(GraphRow.figure_id)
_LOOSE: tuple[Any, ...] = (col(GraphRow.kind) == "import", _FIGURE.is_(None))
_DRAWN: tuple[Any, ...] = (col(GraphRow.kind).in_(DRAWN), _FIGURE.is_not(None), _FIGURE.not_like(f"{TRAINING_IDS}%"))
_NODES = (NAME_KEY, col(NodeRow.graph_id))


# --- counting --------------------------------------------------------------------------------------------------------
# Sets of figures are the bits of one number: a graph's names are then counted for all figures together.


def _by_name(rows: Iterable[tuple[int, str]]) -> tuple[list[str], dict[int, int]]:
    """Return the figures in the order of their bits, and name key → mask of the figures it was drawn in."""
    places: dict[str, int] = {}
    drawn_in: dict[int, int] = {}
    for key, figure_id in rows:
        drawn_in[key] = drawn_in.get(key, 0) | 1 << places.setdefault(figure_id, len(places))
    return list(places), drawn_in


def _at_least(keys: Iterable[int], drawn_in: Mapping[int, int]) -> int:
    """Return the mask of figures in which at least `LEAST_EQUAL` of these names were drawn."""
    counted = [0] * LEAST_EQUAL  # [n]: the figures with more than n of the names so far
    for key in keys:
        more = drawn_in[key]
        for place, mask in enumerate(counted):
            counted[place], more = mask | more, mask & more
    return counted[-1]
