"""Hashes of figures' ground truths, cached by version of the graph.

The overview and lists of texts need them at every click, and reading and hashing hundreds of graphs takes longer than
the rest."""

from __future__ import annotations

from collections.abc import Iterable

from core.texts.truths import plain_truth, truth_hash
from services.acting import ReadContext
from services.versioned_cache import VersionedCache
from store import releases
from store.graphs import graphs

_cache = VersionedCache[int, str | None]()
"""Graph → hash of its version; None if it has no nodes."""


def truth_hashes(r: ReadContext, figure_ids: Iterable[str]) -> dict[str, str]:
    """Return figure → `FigureTruth.sha256`, without figures that have no finished ground truth."""
    current = releases.current_versions(r.session, figure_ids)

    def hashed(graph_ids: list[str]) -> dict[str, str | None]:
        read = graphs.read_named(r.session, graph_ids)
        return {graph_id: truth_hash(plain_truth(graph)) if graph.nodes else None for graph_id, graph in read}

    known = _cache.values(r.study.store.url, dict(current.values()), hashed)
    return {key: sha256 for key, (graph_id, _) in current.items() if (sha256 := known[graph_id])}
