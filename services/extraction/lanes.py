"""A paper's lane in a run: its candidates with their evidence on its pages, and what each step said of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import Missing
from core.people import May, Viewer
from core.words import quoted
from services.acting import consulting
from services.extraction.candidates import CandidateLine, candidates_in, pipeline_run
from services.triplets.evidence import EvidenceView, located, source_of
from store.tables import PaperRow
from store.triplets import triplets

_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget) (?:all|any|the|your|previous|these)\b"
    r"|\b(?:score|rate|give) [^.]{0,40}\b(?:3|three)\b",
    re.IGNORECASE,
)
"""Words with which a text orders its reader about; they change nothing in reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneCandidate:
    """A candidate with where its evidence is in the paper. `orders`: paragraphs that order the reader about."""

    line: CandidateLine
    evidence: tuple[EvidenceView, ...]
    orders: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperLane:
    """`key`: of the paper in the run; `paper`: its id, None if the study has it no more; `note`: of the search for
    evidence as a whole."""

    run: int
    key: str
    title: str
    paper: str | None
    sha256: str
    candidates: tuple[LaneCandidate, ...]
    note: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


def papers_of(viewer: Viewer, run_id: str) -> dict[str, tuple[CandidateLine, ...]]:
    """Paper → its candidates. Raises as `candidates.pipeline_run`."""
    with consulting(viewer, May.RUN) as r:
        row = pipeline_run(r.session, run_id)
        found = candidates_in(r.session, row.id)
    papers: dict[str, tuple[CandidateLine, ...]] = {}
    for each in found:
        papers[each.paper] = (*papers.get(each.paper, ()), each)
    return papers


def lane(viewer: Viewer, run_id: str, paper: str) -> PaperLane:
    """One paper of a run. Whoever also scores triplets is noted to have seen critics of what was collected of it: they
    are given none of these to score. Raises Missing for a paper of which the run has no candidate."""
    with consulting(viewer, May.RUN) as r:
        row = pipeline_run(r.session, run_id)
        found = candidates_in(r.session, row.id, paper)
        if not found:
            raise Missing(f"Run {row.number} has no candidate of a paper {quoted(paper)}.")
        for triplet_id in triplets.made_by(r.session, [each.final for each in found if each.final]):
            r.look_at(triplet_id, "triplet")
        first = found[0].value
        kept = r.session.get(PaperRow, first["paper"]) if first["paper"] else None
        source = source_of(r, first["paper"])
        number = row.number
    evidence, notes = [], list[str]()
    for each in found:
        views, note = located([one["text"] for one in each.value["evidence"]], source)
        evidence.append(views)
        notes += [note] if note else []
    return PaperLane(
        run=number,
        key=paper,
        title=str(first["title"]),
        paper=None if kept is None else kept.id,
        sha256=(kept.file_sha256 or "") if kept is not None else "",
        candidates=tuple(
            LaneCandidate(
                line=each,
                evidence=views,
                orders=tuple(n for n, one in enumerate(views, 1) if _ORDERS.search(one.text)),
            )
            for each, views in zip(found, evidence, strict=True)
        ),
        note=next(iter(notes), ""),
    )
