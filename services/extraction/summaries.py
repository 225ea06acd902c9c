"""What a run's candidates come to, for its tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from core.people import May, Viewer
from core.triplets.venues import domain_of, venue_name
from protocols.econcausal_pipeline.summary import CandidateSummary, summary_of
from protocols.econcausal_pipeline.tasks import CONSENSUS
from protocols.steps import steps_kept
from runs.outcomes import protocol_of
from services.acting import consulting
from services.extraction.candidates import CandidateLine, CandidateState, candidates_in, pipeline_run
from store.runs import groups
from store.runs.steps import StepTokens, tokens_by_step
from store.tables import PaperRow
from store.tables.runs import RunRow


@dataclass(frozen=True, slots=True)
class VenueLine:
    """Papers with candidates by where they were published; `domain`: of one of EconCausal's eight journals, else
    empty; both empty where no venue is known."""

    venue: str
    domain: str
    papers: int
    candidates: int
    accepted: int


@dataclass(frozen=True, slots=True)
class StepCost:
    """What a step sent, under its title."""

    title: str
    used: StepTokens


def summary(viewer: Viewer, run_id: str) -> CandidateSummary:
    """Signs, agreement of extractions, evidence, edits and critics of a run; `run_id` may be its number. Whoever also
    scores is told of no single triplet. Raises as `candidates.pipeline_run`."""
    with consulting(viewer, May.RUN) as r:
        row = pipeline_run(r.session, run_id)
        found = candidates_in(r.session, row.id)
        there = [each for each in groups.of_run(r.session, row.id) if each.step == CONSENSUS]
        kept = groups.values(r.session, [each.id for each in there])
    values = [each.value for some in kept.values() for each in some]
    return summary_of(values, [each.value for each in found])


def venues(viewer: Viewer, run_id: str) -> tuple[VenueLine, ...]:
    """Papers and candidates of a run by venue, the most papers first. Raises as `candidates.pipeline_run`."""
    with consulting(viewer, May.RUN) as r:
        row = pipeline_run(r.session, run_id)
        return _venues(r.session, candidates_in(r.session, row.id))


def costs(viewer: Viewer, run_id: str) -> tuple[StepCost, ...]:
    """What each step of a run sent, in their order; steps that sent nothing are missing. Raises as
    `candidates.pipeline_run`."""
    with consulting(viewer, May.RUN) as r:
        row = pipeline_run(r.session, run_id)
        return _costs(r.session, row)


def _venues(session: Session, found: Sequence[CandidateLine]) -> tuple[VenueLine, ...]:
    by_paper: dict[str, list[CandidateLine]] = defaultdict(list)
    for each in found:
        by_paper[each.paper].append(each)
    lines: dict[str, list[list[CandidateLine]]] = defaultdict(list)
    for those in by_paper.values():
        kept = session.get(PaperRow, those[0].value["paper"]) if those[0].value["paper"] else None
        lines[venue_name(kept.source) if kept is not None else ""].append(those)
    told = [
        VenueLine(
            venue,
            domain_of(venue),
            len(papers),
            sum(map(len, papers)),
            sum(each.state is CandidateState.ACCEPTED for those in papers for each in those),
        )
        for venue, papers in lines.items()
    ]
    return tuple(sorted(told, key=lambda each: (-each.papers, each.venue)))


def _costs(session: Session, row: RunRow) -> tuple[StepCost, ...]:
    used = {each.step: each for each in tokens_by_step(session, row.id)}
    steps = steps_kept(protocol_of(row.protocol), row.settings)
    return tuple(StepCost(step.title, used[step.name]) for step in steps if step.name in used)
