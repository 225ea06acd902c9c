"""Exposure before submission: work whose annotator saw others' work on the figure, or an import of it, first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from services.acting import ReadContext
from services.graphs.name_similarity_cache import imports_by_figure
from store.graphs import exposures
from store.graphs.exposures import Exposure, Known


class BlindWork(NamedTuple):
    """One person's transcription of a figure. For submitted work, only exposures before the submission count."""

    assignment_id: str
    person_id: str
    figure_id: str
    is_submitted: bool


def early_exposures(r: ReadContext, works: Iterable[BlindWork]) -> dict[str, datetime]:
    """Return assignment → first exposure of its annotator, unless the work was submitted before it.

    The order is that of the history, independent of clocks. Counted are views of colleagues' work, views of imports
    attached to the figure or sharing three names with what was drawn of it, and the user's own imports of such graphs.
    """
    listed = list(works)
    seen = exposures.first_exposures(r.session, "figure", {work.figure_id for work in listed})
    of_imports = _import_exposures(r, listed)
    firsts: dict[BlindWork, Exposure] = {}
    for work in listed:
        own = [*of_imports.get((work.person_id, work.figure_id), ())]
        own += [seen[work.person_id, work.figure_id]] if (work.person_id, work.figure_id) in seen else []
        if own:
            firsts[work] = min(own)
    if not firsts:
        return {}
    submits = exposures.last_submits(r.session, [work.assignment_id for work in firsts if work.is_submitted])
    return {
        work.assignment_id: look.at
        for work, look in firsts.items()
        if not work.is_submitted or look.seq < submits.get(work.assignment_id, look.seq + 1)
    }


def _import_exposures(r: ReadContext, works: Collection[BlindWork]) -> dict[tuple[str, str], list[Exposure]]:
    """Return (person, figure) → their views of unattached imports that are similar to the figure."""
    known: Known = exposures.imported_graphs(r.session, {work.person_id for work in works})
    known |= {
        key: min(look, known.get(key, look)) for key, look in exposures.first_exposures(r.session, "graph").items()
    }
    if not known:
        return {}
    by_graph: dict[str, list[tuple[str, Exposure]]] = defaultdict(list)
    for (person_id, graph_id), look in known.items():
        by_graph[graph_id].append((person_id, look))
    by_person: dict[tuple[str, str], list[Exposure]] = defaultdict(list)
    for figure_id, graph_ids in imports_by_figure(r, {work.figure_id for work in works}).items():
        for graph_id in graph_ids & by_graph.keys():
            for person_id, look in by_graph[graph_id]:
                by_person[person_id, figure_id].append(look)
    return by_person
