"""Which blind work was preceded by a look: its annotator had seen others' work on the figure, or an import of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from services.acting import Reading
from services.graphs.likeness_kept import imports_by_figure
from store.graphs import looks
from store.graphs.looks import Known, Look


class BlindWork(NamedTuple):
    """One person's transcription of a figure; `is_handed_in`: what counts is what was seen before."""

    assignment_id: str
    person_id: str
    figure_id: str
    is_handed_in: bool


def early_looks(r: Reading, works: Iterable[BlindWork]) -> dict[str, datetime]:
    """Assignment → when its annotator first saw others' work on the figure, for work that was submitted after that, or
    is not submitted yet. The order is that of the history, whatever the clock said.

    Counted are looks at colleagues' work, at imports that are attached to the figure and at those with three names of
    what was drawn of it by now; and bringing in such an import oneself.
    """
    listed = list(works)
    seen = looks.first_looks(r.session, "figure", {work.figure_id for work in listed})
    of_imports = _looks_at_imports(r, listed)
    firsts: dict[BlindWork, Look] = {}
    for work in listed:
        found = [*of_imports.get((work.person_id, work.figure_id), ())]
        found += [seen[work.person_id, work.figure_id]] if (work.person_id, work.figure_id) in seen else []
        if found:
            firsts[work] = min(found)
    if not firsts:
        return {}
    submits = looks.last_submits(r.session, [work.assignment_id for work in firsts if work.is_handed_in])
    return {
        work.assignment_id: look.at
        for work, look in firsts.items()
        if not work.is_handed_in or look.seq < submits.get(work.assignment_id, look.seq + 1)
    }


def _looks_at_imports(r: Reading, works: Collection[BlindWork]) -> dict[tuple[str, str], list[Look]]:
    """(person, figure) → their looks at imports attached to none that are like it."""
    known: Known = looks.brought_in(r.session, {work.person_id for work in works})
    known |= {key: min(look, known.get(key, look)) for key, look in looks.first_looks(r.session, "graph").items()}
    if not known:
        return {}
    by_graph: dict[str, list[tuple[str, Look]]] = defaultdict(list)
    for (person_id, graph_id), look in known.items():
        by_graph[graph_id].append((person_id, look))
    found: dict[tuple[str, str], list[Look]] = defaultdict(list)
    for figure_id, graph_ids in imports_by_figure(r, {work.figure_id for work in works}).items():
        for graph_id in graph_ids & by_graph.keys():
            for person_id, look in by_graph[graph_id]:
                found[person_id, figure_id].append(look)
    return found
