"""Which figures an imported graph may be of though nobody said so: those of which something was drawn with the same
names. Found by an index of the names' keys, never by reading all names; no function here commits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from store.graph_tables import NAME_KEY
from store.many import among
from store.papers import TRAINING_IDS
from store.tables import GraphRow, NodeRow

LEAST_EQUAL = 3
"""Names, equal after folding, from which on two graphs are taken to be of one figure."""
DRAWN = ("transcription", "ground truth")
"""Kinds of graphs that people made of a figure."""


def figures_like(
    session: Session, graph_ids: Collection[str] | None = None, figure_ids: Collection[str] | None = None
) -> dict[str, frozenset[str]]:
    """Imported graph → the figures of which people drew (in drafts too) at least `LEAST_EQUAL` of its names.

    Only graphs that are attached to no figure, and of these only `graph_ids` if given; only `figure_ids` if given,
    never the training's. Graphs that are like none are missing. Two queries; the time grows with the names of the
    chosen side and the places where they are found, not with graphs times figures.
    """
    loose, drawn = _loose(session, graph_ids), _drawn(session, figure_ids)
    if graph_ids is not None:
        names = _read(session, loose)
        theirs = _read(session, [*_drawn(session, figure_ids, is_known=True), NAME_KEY.in_(_keys(loose))])
    else:
        theirs = _read(session, drawn)
        names = _read(session, [*_loose(session, None, is_known=True), NAME_KEY.in_(_keys(drawn))])
    figures, drawn_in = _by_name((key, figure_id) for key, _, figure_id in theirs)
    shared: dict[str, set[int]] = defaultdict(set)
    for key, graph_id, _ in names:
        if key in drawn_in:
            shared[graph_id].add(key)
    found = {graph_id: _at_least(keys, drawn_in) for graph_id, keys in shared.items() if len(keys) >= LEAST_EQUAL}
    return {graph_id: _figures(mask, figures) for graph_id, mask in found.items() if mask}


def stamps(session: Session) -> tuple[int, dict[str, tuple[int, int]]]:
    """What tells that `figures_like` may have changed: how many imports are attached to no figure, and for each figure
    the number of its graphs and the sum of their versions."""
    imports = session.exec(select(func.count()).select_from(GraphRow).where(*_loose(session, None))).one()
    columns: Any = (GraphRow.figure_id, func.count(), func.sum(GraphRow.version))
    query = select(*columns).where(*_drawn(session, None)).group_by(GraphRow.figure_id)
    return imports, {row[0]: (row[1], row[2]) for row in session.execute(query)}


def _drawn(session: Session, figure_ids: Collection[str] | None, *, is_known: bool = False) -> list[Any]:
    figure = col(GraphRow.figure_id)
    where: list[Any] = [_kind(is_known).in_(DRAWN), figure.is_not(None), figure.not_like(f"{TRAINING_IDS}%")]
    return where if figure_ids is None else [*where, among(session, figure, figure_ids)]


def _loose(session: Session, graph_ids: Collection[str] | None, *, is_known: bool = False) -> list[Any]:
    where: list[Any] = [_kind(is_known) == "import", col(GraphRow.figure_id).is_(None)]
    return where if graph_ids is None else [*where, among(session, GraphRow.id, graph_ids)]


def _kind(is_known: bool) -> Any:
    """A graph's kind; `is_known`: asked so that no index serves, for then the names come first and the graphs after
    them. SQLite's planner would read every name of every graph of the kind instead."""
    return func.coalesce(GraphRow.kind, "") if is_known else col(GraphRow.kind)


def _keys(where: list[Any]) -> Any:
    return select(NAME_KEY).select_from(NodeRow).join(GraphRow).where(*where)


def _read(session: Session, where: list[Any]) -> list[tuple[int, str, str]]:
    """(key of a name, graph, its figure) of every node that meets the conditions; from the bare columns, since rows of
    the mapper take twice as long."""
    columns: Any = (NAME_KEY, NodeRow.graph_id, GraphRow.figure_id)
    query = select(*columns).select_from(NodeRow).join(GraphRow).where(*where)
    return [(row[0], row[1], row[2]) for row in session.connection().execute(query)]


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
