"""One paper in a run: its candidates, the evidence of one of them on the pages, and instructions in the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import EdgewiseError, Missing
from core.papers.pages import PageFacts
from core.people import Permission, Viewer
from core.triplets.instructions import instructions_in
from core.triplets.passages import Match, find
from core.words import quoted
from protocols.econcausal_pipeline.papers import SourcePaper
from protocols.econcausal_pipeline.tasks import PAPERS
from protocols.steps import steps_of_settings
from runs.item_outcomes import protocol_of
from services.acting import ReadContext, consulting
from services.extraction.candidates import CandidateLine, candidates_in, pipeline_run
from services.papers import figures
from services.triplets.evidence import EvidenceView, source_of
from store.runs import groups
from store.tables import PaperRow
from store.tables.runs import RunRow
from store.triplets import triplets


@dataclass(frozen=True, slots=True)
class LanePage:
    number: int
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Instruction:
    """A sentence of the paper that instructs its reader, for instance a model."""

    page: int
    text: str


@dataclass(frozen=True, slots=True)
class LaneStep:
    """A step of the run, with its group about the chosen candidate."""

    name: str
    title: str
    group: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperLane:
    run: int
    key: str  # of the paper in the run
    title: str
    paper: str | None  # its id, None if the study no longer has it
    sha256: str
    candidates: tuple[CandidateLine, ...]
    chosen: int  # index of the candidate that is shown
    evidence: tuple[EvidenceView, ...]  # of that candidate, as `pages`
    pages: tuple[LanePage, ...]
    steps: tuple[LaneStep, ...]
    instructions: tuple[Instruction, ...] = ()
    note: str = ""  # why no page, or not every page, is shown

    @property
    def candidate(self) -> CandidateLine:
        return self.candidates[self.chosen]


def papers_of(viewer: Viewer, run_id: str) -> dict[str, tuple[CandidateLine, ...]]:
    """Return paper → its candidates. Raises as `candidates.pipeline_run`."""
    with consulting(viewer, Permission.RUN) as r:
        row = pipeline_run(r.session, run_id)
        candidates = candidates_in(r.session, row.id)
    papers: dict[str, tuple[CandidateLine, ...]] = {}
    for candidate in candidates:
        papers[candidate.paper] = (*papers.get(candidate.paper, ()), candidate)
    return papers


def lane(viewer: Viewer, run_id: str, paper: str, number: int = 1) -> PaperLane:
    """Return one paper of a run with the candidate of this number, else the first.

    Records the viewer's exposure to critics of collected triplets: they are not asked to score these. Raises Missing
    for a paper without a candidate.
    """
    with consulting(viewer, Permission.RUN) as r:
        row = pipeline_run(r.session, run_id)
        candidates = candidates_in(r.session, row.id, paper)
        if not candidates:
            raise Missing(f"Run {row.number} has no candidate of a paper {quoted(paper)}.")
        for triplet_id in triplets.made_by(r.session, [each.final for each in candidates if each.final]):
            r.record_exposure(triplet_id, "triplet")
        first = candidates[0].value
        stored_paper = r.session.get(PaperRow, first["paper"]) if first["paper"] else None
        note = source_of(r, first["paper"] or None).note
        read = _read_instructions(r, row, paper)
        chosen = next((place for place, each in enumerate(candidates) if each.number == number), 0)
        run_steps = steps_of_settings(protocol_of(row.protocol), row.settings)
        # Steps over a candidate are shown by its own group, the others by that of its paper.
        steps = tuple(
            LaneStep(each.name, each.title, candidates[chosen].key if each.beside or each.asks_of else paper)
            for each in run_steps
        )
        run = row.number
    evidence: Sequence[Mapping[str, Any]] = candidates[chosen].value["evidence"]
    facts, troubles = _read_pages(viewer, None if note or stored_paper is None else stored_paper.id, evidence)
    return PaperLane(
        run=run,
        key=paper,
        title=str(first["title"]),
        paper=None if stored_paper is None else stored_paper.id,
        sha256=(stored_paper.file_sha256 or "") if stored_paper is not None else "",
        candidates=candidates,
        chosen=chosen,
        evidence=tuple(_marked(each, facts) for each in evidence),
        pages=tuple(LanePage(each.number, each.width, each.height) for each in facts.values()),
        steps=steps,
        instructions=read,
        note=" ".join(filter(None, (note, *troubles))),
    )


def _read_instructions(r: ReadContext, row: RunRow, paper: str) -> tuple[Instruction, ...]:
    group_ids = [id_ for id_, _, key, _ in groups.named(r.session, row.id, [PAPERS]) if key == paper]
    values = [each.value for some in groups.values(r.session, group_ids).values() for each in some]
    return tuple(
        Instruction(number, sentence)
        for value in values
        for number, page in enumerate(SourcePaper.from_json(value).pages, 1)
        for sentence in instructions_in(page)
    )


def _read_pages(
    viewer: Viewer, paper_id: str | None, evidence: Sequence[Mapping[str, Any]]
) -> tuple[dict[int, PageFacts], list[str]]:
    """Return the pages with evidence as they are read now, and the errors of the others."""
    facts, troubles = dict[int, PageFacts](), list[str]()
    if paper_id is None:
        return facts, troubles
    for number in sorted({page for each in evidence for page in each["pages"]}):
        try:
            facts[number] = figures.page(viewer, paper_id, number)
        except EdgewiseError as error:
            troubles.append(f"Page {number}: {error}")
    return facts, troubles


def _marked(paragraph: Mapping[str, Any], facts: Mapping[int, PageFacts]) -> EvidenceView:
    """Return a paragraph as the run found it, located on these pages only."""
    match = None if paragraph["match"] is None else Match(paragraph["match"])
    on = [facts[number] for number in paragraph["pages"] if number in facts]
    return EvidenceView(paragraph["text"], match, find(paragraph["text"], on).passages if on else ())
