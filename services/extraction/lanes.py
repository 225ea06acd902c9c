"""A paper's lane in a run: its candidates, one of them with its evidence on the paper's pages, and what the paper says
to its reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import EdgewiseError, Missing
from core.papers.pages import PageFacts
from core.people import May, Viewer
from core.triplets.instructions import instructions_in
from core.triplets.passages import Match, find
from core.words import quoted
from protocols.econcausal_pipeline.papers import SourcePaper
from protocols.econcausal_pipeline.tasks import PAPERS
from protocols.steps import steps_kept
from runs.outcomes import protocol_of
from services.acting import Reading, consulting
from services.extraction.candidates import CandidateLine, candidates_in, pipeline_run
from services.papers import figures
from services.triplets.evidence import EvidenceView, source_of
from store.runs import groups
from store.tables import PaperRow
from store.tables.runs import RunRow
from store.triplets import triplets


@dataclass(frozen=True, slots=True)
class LanePage:
    """A page on which evidence is marked."""

    number: int
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Instruction:
    """A sentence of the paper that orders its reader about."""

    page: int
    text: str


@dataclass(frozen=True, slots=True)
class LaneStep:
    """A step of the run, and its group that is about the chosen candidate."""

    name: str
    title: str
    group: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperLane:
    """`key`: of the paper in the run; `paper`: its id, None if the study has it no more; `chosen`: the place of the
    candidate that is shown, from 0; `evidence` and `pages`: of it; `note`: why no page is shown, or what of it."""

    run: int
    key: str
    title: str
    paper: str | None
    sha256: str
    candidates: tuple[CandidateLine, ...]
    chosen: int
    evidence: tuple[EvidenceView, ...]
    pages: tuple[LanePage, ...]
    steps: tuple[LaneStep, ...]
    instructions: tuple[Instruction, ...] = ()
    note: str = ""

    @property
    def candidate(self) -> CandidateLine:
        return self.candidates[self.chosen]


def papers_of(viewer: Viewer, run_id: str) -> dict[str, tuple[CandidateLine, ...]]:
    """Paper → its candidates. Raises as `candidates.pipeline_run`."""
    with consulting(viewer, May.RUN) as r:
        row = pipeline_run(r.session, run_id)
        found = candidates_in(r.session, row.id)
    papers: dict[str, tuple[CandidateLine, ...]] = {}
    for each in found:
        papers[each.paper] = (*papers.get(each.paper, ()), each)
    return papers


def lane(viewer: Viewer, run_id: str, paper: str, number: int = 1) -> PaperLane:
    """One paper of a run with one of its candidates, the `number`-th as the run counts them, else the first. Whoever
    also scores triplets is noted to have seen critics of what was collected of it: they are given none of these to
    score. Raises Missing for a paper of which the run has no candidate."""
    with consulting(viewer, May.RUN) as r:
        row = pipeline_run(r.session, run_id)
        found = candidates_in(r.session, row.id, paper)
        if not found:
            raise Missing(f"Run {row.number} has no candidate of a paper {quoted(paper)}.")
        for triplet_id in triplets.made_by(r.session, [each.final for each in found if each.final]):
            r.look_at(triplet_id, "triplet")
        first = found[0].value
        kept = r.session.get(PaperRow, first["paper"]) if first["paper"] else None
        note = source_of(r, first["paper"] or None).note
        read = _source(r, row, paper)
        chosen = next((place for place, each in enumerate(found) if each.number == number), 0)
        steps = _steps(row, paper, found[chosen].key)
        run = row.number
    evidence: Sequence[Mapping[str, Any]] = found[chosen].value["evidence"]
    facts, troubles = _pages(viewer, None if note or kept is None else kept.id, evidence)
    return PaperLane(
        run=run,
        key=paper,
        title=str(first["title"]),
        paper=None if kept is None else kept.id,
        sha256=(kept.file_sha256 or "") if kept is not None else "",
        candidates=found,
        chosen=chosen,
        evidence=tuple(_marked(each, facts) for each in evidence),
        pages=tuple(LanePage(each.number, each.width, each.height) for each in facts.values()),
        steps=steps,
        instructions=read,
        note=" ".join(filter(None, (note, *troubles))),
    )


def _source(r: Reading, row: RunRow, paper: str) -> tuple[Instruction, ...]:
    """What the text that models were sent says to its reader."""
    there = [id_ for id_, _, key, _ in groups.named(r.session, row.id, [PAPERS]) if key == paper]
    values = [each.value for some in groups.values(r.session, there).values() for each in some]
    return tuple(
        Instruction(number, said)
        for value in values
        for number, page in enumerate(SourcePaper.from_json(value).pages, 1)
        for said in instructions_in(page)
    )


def _steps(row: RunRow, paper: str, candidate: str) -> tuple[LaneStep, ...]:
    """Those over a candidate by its own group, the others by that of its paper."""
    found = steps_kept(protocol_of(row.protocol), row.settings)
    by_candidate = {step.name for step in found if step.beside or step.asks_of}
    return tuple(LaneStep(step.name, step.title, candidate if step.name in by_candidate else paper) for step in found)


def _pages(
    viewer: Viewer, paper_id: str | None, evidence: Sequence[Mapping[str, Any]]
) -> tuple[dict[int, PageFacts], list[str]]:
    """Pages on which the run found evidence, as they are read now, and what is wrong with the others."""
    found, troubles = dict[int, PageFacts](), list[str]()
    if paper_id is None:
        return found, troubles
    for number in sorted({page for each in evidence for page in each["pages"]}):
        try:
            found[number] = figures.page(viewer, paper_id, number)
        except EdgewiseError as error:
            troubles.append(f"Page {number}: {error}")
    return found, troubles


def _marked(said: Mapping[str, Any], facts: Mapping[int, PageFacts]) -> EvidenceView:
    """A paragraph as the run found it, with its place on these pages: no other is read for it."""
    match = None if said["match"] is None else Match(said["match"])
    on = [facts[number] for number in said["pages"] if number in facts]
    return EvidenceView(said["text"], match, find(said["text"], on).passages if on else ())
