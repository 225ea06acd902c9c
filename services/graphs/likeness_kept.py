"""Which imports are like which figures, worked out once for as long as neither changes.

With thousands of imports and hundreds of figures it takes a quarter of a second, and a list is drawn anew at every
click. Imports never change, so what can change it is how many there are and what was drawn of each figure: the number
and versions of its graphs.
"""

from __future__ import annotations

from collections.abc import Collection

from services.acting import Reading
from services.kept import Kept
from store.graphs.likeness import figures_like, stamps

FEW = 5
"""Figures up to which they are asked of the store at once: what one person draws at a time."""

_kept = Kept[tuple[int, tuple[int, int]], frozenset[str]]()
"""Figure → the imports that are like it, with so many imports in all and this of the figure drawn."""


def imports_like(r: Reading, figure_ids: Collection[str]) -> frozenset[str]:
    """Imports attached to no figure that are like one of these figures."""
    if len(figure_ids) <= FEW:
        return frozenset(figures_like(r.session, None, figure_ids))
    return frozenset[str]().union(*imports_by_figure(r, figure_ids).values())


def imports_by_figure(r: Reading, figure_ids: Collection[str]) -> dict[str, frozenset[str]]:
    """Figure → the imports attached to none that are like it; figures of which nothing was drawn are missing."""
    imports, drawn = stamps(r.session)

    def like(those: list[str]) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {each: set() for each in those}
        for graph_id, figures in figures_like(r.session, None, those).items():
            for figure_id in figures:
                found[figure_id].add(graph_id)
        return {each: frozenset(graphs) for each, graphs in found.items()}

    now = {each: (imports, drawn[each]) for each in figure_ids if each in drawn}
    return _kept.values(r.study.store.url, now, like)
