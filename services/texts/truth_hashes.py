"""The hashes of figures' ground truths, each worked out once for as long as its graph has the same version.

The overview and lists of texts ask at every click, of every text, whether its ground truth is another by now; reading
and hashing hundreds of graphs takes longer than all else that they do.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.texts.truths import plain_truth, truth_hash
from services.acting import Reading
from services.kept import Kept
from store import releases
from store.graphs import graphs

_kept = Kept[int, str | None]()
"""Graph → the hash that it has in its version; None if it has no nodes."""


def truth_hashes(r: Reading, figure_ids: Iterable[str]) -> dict[str, str]:
    """Figure → `FigureTruth.sha256`; figures without a finished ground truth are missing."""
    standing = releases.standing_versions(r.session, figure_ids)

    def hashed(graph_ids: list[str]) -> dict[str, str | None]:
        read = graphs.read_named(r.session, graph_ids)
        return {graph_id: truth_hash(plain_truth(graph)) if graph.nodes else None for graph_id, graph in read}

    known = _kept.values(r.study.store.url, dict(standing.values()), hashed)
    return {key: found for key, (graph_id, _) in standing.items() if (found := known[graph_id])}
