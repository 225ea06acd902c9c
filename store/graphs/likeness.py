"""Which figures an imported graph may be of though nobody said so: those of which something was drawn with the same
names. Found by an index of the names' keys, never by reading all names; no function here commits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from store.many import among
from store.papers.papers import TRAINING_IDS
from store.tables import GraphRow, NodeRow
from store.tables.graphs import NAME_KEY

LEAST_EQUAL = 3
"""Names, equal after folding, from which on two graphs are taken to be of one figure."""
DRAWN = ("transcription", "ground truth")
"""Kinds of graphs that people made of a figure."""


def figures_like(
    session: Session, graph_ids: Collection[str] | None = None, figure_ids: Collection[str] | None = None
) -> dict[str, frozenset[str]]:
    """Imported graph → the figures of which people drew (in drafts too) at least `LEAST_EQUAL` of its names.

    Only graphs that are attached to no figure, and of these only `graph_ids` if given; only `figure_ids` if given,
    never the training's. Graphs that are like none are missing. Four queries of one table each, so that no planner can
    begin at the wrong end; the time grows with the names of the smaller side and the places where they are found, not
    with graphs times figures.
    """
    if (graph_ids is not None and not graph_ids) or (figure_ids is not None and not figure_ids):
        return {}
    drawn, loose = _drawn(session, figure_ids), _loose(session, graph_ids)
    few: Collection[str] = loose if len(loose) <= len(drawn) else drawn.keys()
    own = _names(session, few)
    rows = [*own, *_places(session, {key for key, _ in own})]
    figures, drawn_in = _by_name((key, drawn[graph_id]) for key, graph_id in rows if graph_id in drawn)
    shared: dict[str, set[int]] = defaultdict(set)
    for key, graph_id in rows:
        if graph_id in loose and key in drawn_in:
            shared[graph_id].add(key)
    found = {graph_id: _at_least(keys, drawn_in) for graph_id, keys in shared.items() if len(keys) >= LEAST_EQUAL}
    return {graph_id: _figures(mask, figures) for graph_id, mask in found.items() if mask}


def stamps(session: Session) -> tuple[int, dict[str, tuple[int, int]]]:
    """What tells that `figures_like` may have changed: how many imports are attached to no figure, and for each figure
    the number of its graphs and the sum of their versions."""
    loose = select(func.count()).select_from(GraphRow).where(*_LOOSE)
    columns: Any = (GraphRow.figure_id, func.count(), func.sum(GraphRow.version))
    query = select(*columns).where(*_DRAWN).group_by(GraphRow.figure_id)
    return session.exec(loose).one(), {row[0]: (row[1], row[2]) for row in session.execute(query)}


_FIGURE = col(GraphRow.figure_id)
_LOOSE: tuple[Any, ...] = (col(GraphRow.kind) == "import", _FIGURE.is_(None))
_DRAWN: tuple[Any, ...] = (col(GraphRow.kind).in_(DRAWN), _FIGURE.is_not(None), _FIGURE.not_like(f"{TRAINING_IDS}%"))
_NODES = (NAME_KEY, col(NodeRow.graph_id))


def _drawn(session: Session, figure_ids: Collection[str] | None) -> dict[str, str]:
    """Graphs that people drew, each with its figure."""
    query = select(GraphRow.id, _FIGURE).where(*_DRAWN)
    rows = session.execute(query if figure_ids is None else query.where(among(session, _FIGURE, figure_ids)))
    return {row[0]: row[1] for row in rows}


def _loose(session: Session, graph_ids: Collection[str] | None) -> set[str]:
    query = select(GraphRow.id).where(*_LOOSE)
    return set(session.exec(query if graph_ids is None else query.where(among(session, GraphRow.id, graph_ids))))


def _names(session: Session, graph_ids: Iterable[str]) -> list[Any]:
    """(key of a name, graph) for every name of these graphs; from the bare columns, since rows of the mapper take
    twice as long."""
    query = select(*_NODES).where(among(session, NodeRow.graph_id, graph_ids))
    return list(session.connection().execute(query))


def _places(session: Session, keys: Iterable[int]) -> list[Any]:
    """The same for every graph that has one of these names."""
    return list(session.connection().execute(select(*_NODES).where(among(session, NAME_KEY, keys))))


# --- counting --------------------------------------------------------------------------------------------------------
# Sets of figures are the bits of one number: a graph's names are then counted for all figures together.


def _by_name(rows: Iterable[tuple[int, str]]) -> tuple[list[str], dict[int, int]]:
    """The figures in the order of their bits, and for each name's key the figures it was drawn in."""
    places: dict[str, int] = {}
    drawn_in: dict[int, int] = {}
    for key, figure_id in rows:
        drawn_in[key] = drawn_in.get(key, 0) | 1 << places.setdefault(figure_id, len(places))
    return list(places), drawn_in


def _at_least(keys: Iterable[int], drawn_in: Mapping[int, int]) -> int:
    """The figures in which `LEAST_EQUAL` or more of these names were drawn."""
    counted = [0] * LEAST_EQUAL  # [n]: the figures with more than n of the names so far
    for key in keys:
        more = drawn_in[key]
        for place, those in enumerate(counted):
            counted[place], more = those | more, those & more
    return counted[-1]


def _figures(mask: int, figures: list[str]) -> frozenset[str]:
    return frozenset(figure_id for place, figure_id in enumerate(figures) if mask >> place & 1)
