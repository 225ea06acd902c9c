"""Which imports are like which figures, worked out once for as long as neither changes.

With thousands of imports and hundreds of figures it takes a quarter of a second, and a list is drawn anew at every
click. Imports never change, so what can change it is how many there are and what was drawn of each figure: the number
and versions of its graphs.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from services.acting import Reading
from store.graphs.likeness import figures_like, stamps

FEW = 5
"""Figures up to which they are asked of the store at once: what one person draws at a time."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """Of a store with so many imports: figure → the stamp it had, and the imports that were like it."""

    imports: int
    like: Mapping[str, tuple[tuple[int, int], frozenset[str]]]


_kept: dict[str, _Kept] = {}
_guard = threading.Lock()


def imports_like(r: Reading, figure_ids: Collection[str]) -> frozenset[str]:
    """Imports attached to no figure that are like one of these figures."""
    if len(figure_ids) <= FEW:
        return frozenset(figures_like(r.session, None, figure_ids))
    return frozenset[str]().union(*imports_by_figure(r, figure_ids).values())


def imports_by_figure(r: Reading, figure_ids: Collection[str]) -> dict[str, frozenset[str]]:
    """Figure → the imports attached to none that are like it; figures of which nothing was drawn are missing."""
    imports, now = stamps(r.session)
    with _guard:
        before = _kept.get(r.study.store.url)
    known = dict(before.like) if before is not None and before.imports == imports else {}
    stale = [each for each in figure_ids if each in now and (each not in known or known[each][0] != now[each])]
    if stale:
        fresh: dict[str, set[str]] = {each: set() for each in stale}
        for graph_id, figures in figures_like(r.session, None, stale).items():
            for figure_id in figures:
                fresh[figure_id].add(graph_id)
        known |= {each: (now[each], frozenset(those)) for each, those in fresh.items()}
        with _guard:
            _kept[r.study.store.url] = _Kept(imports, known)
    return {each: known[each][1] for each in figure_ids if each in now}
