"""The hashes of figures' ground truths, each worked out once for as long as its graph has the same version.

The overview and lists of texts ask at every click, of every text, whether its ground truth is another by now; reading
and hashing hundreds of graphs takes longer than all else that they do.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

from core.texts.truths import plain_truth, truth_hash
from services.acting import Reading
from store import releases
from store.graphs import graphs

_kept: dict[str, dict[str, tuple[int, str | None]]] = {}
"""Store → graph → its version, and the hash it has in this version; None if it has no nodes."""
_guard = threading.Lock()


def truth_hashes(r: Reading, figure_ids: Iterable[str]) -> dict[str, str]:
    """Figure → `FigureTruth.sha256`; figures without a finished ground truth are missing."""
    standing = releases.standing_versions(r.session, figure_ids)
    with _guard:
        known = dict(_kept.get(r.study.store.url, {}))
    now = dict(standing.values())
    new = [graph_id for graph_id, version in now.items() if graph_id not in known or known[graph_id][0] != version]
    if new:
        for graph_id, graph in graphs.read_named(r.session, new):
            known[graph_id] = (now[graph_id], truth_hash(plain_truth(graph)) if graph.nodes else None)
        with _guard:
            _kept[r.study.store.url] = known
    return {key: found for key, (graph_id, _) in standing.items() if (found := known[graph_id][1])}
