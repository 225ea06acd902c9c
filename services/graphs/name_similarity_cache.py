"""Cache of imports that are similar to figures, valid until either changes.

With thousands of imports and hundreds of figures the search takes a quarter of a second, and a list is redrawn at every
click. Imports never change, so the key is their number, and the number and versions of each figure's graphs.
"""

from __future__ import annotations

from collections.abc import Collection

from services.acting import ReadContext
from services.versioned_cache import VersionedCache
from store.graphs.name_similarity import figures_like, stamps

FEW = 5  # figures up to which the store is queried directly: what one person draws at a time

# Figure → similar imports; the key is (number of imports, stamp of the figure's graphs).
_cache = VersionedCache[tuple[int, tuple[int, int]], frozenset[str]]()


def imports_like(r: ReadContext, figure_ids: Collection[str]) -> frozenset[str]:
    """Return unattached imports that are similar to one of these figures."""
    if len(figure_ids) <= FEW:
        return frozenset(figures_like(r.session, None, figure_ids))
    return frozenset[str]().union(*imports_by_figure(r, figure_ids).values())


def imports_by_figure(r: ReadContext, figure_ids: Collection[str]) -> dict[str, frozenset[str]]:
    """Return figure → similar unattached imports; figures without a graph are missing."""
    imports, drawn = stamps(r.session)

    def like(missing_ids: list[str]) -> dict[str, frozenset[str]]:
        matches: dict[str, set[str]] = {each: set() for each in missing_ids}
        for graph_id, figures in figures_like(r.session, None, missing_ids).items():
            for figure_id in figures:
                matches[figure_id].add(graph_id)
        return {each: frozenset(graphs) for each, graphs in matches.items()}

    now = {each: (imports, drawn[each]) for each in figure_ids if each in drawn}
    return _cache.values(r.study.store.url, now, like)
