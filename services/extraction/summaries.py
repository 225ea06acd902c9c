"""Summaries of a run's candidates, for its tables."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from core.people import Permission, Viewer
from core.triplets.venues import domain_of, venue_name
from protocols.econcausal_pipeline.summary import CandidateSummary, summary_of
from protocols.econcausal_pipeline.tasks import CONSENSUS
from protocols.steps import steps_of_settings
from runs.item_outcomes import protocol_of
from services.acting import consulting
from services.extraction.candidates import CandidateLine, CandidateState, candidates_in, pipeline_run
from store.runs import groups
from store.runs.steps import StepTokens, tokens_by_step
from store.tables import PaperRow


@dataclass(frozen=True, slots=True)
class VenueLine:
    """Papers with candidates, by venue. Both names are empty if the venue is unknown."""

    venue: str
    domain: str  # if it is one of EconCausal's eight journals, else empty
    papers: int
    candidates: int
    accepted: int


@dataclass(frozen=True, slots=True)
class StepCost:
    """Tokens sent by a step."""

    title: str
    used: StepTokens


def summary(viewer: Viewer, run_id: str) -> CandidateSummary:
    """Summarise signs, agreement of extractions, evidence, edits and critics of a run.

    No single triplet is shown, so people who score stay blind. Raises as `candidates.pipeline_run`.
    """
    with consulting(viewer, Permission.RUN) as r:
        row = pipeline_run(r.session, run_id)
        candidates = candidates_in(r.session, row.id)
        stored_groups = [each for each in groups.of_run(r.session, row.id) if each.step == CONSENSUS]
        values_by_group = groups.values(r.session, [each.id for each in stored_groups])
    values = [each.value for some in values_by_group.values() for each in some]
    return summary_of(values, [each.value for each in candidates])


def venues(viewer: Viewer, run_id: str) -> tuple[VenueLine, ...]:
    """Return papers and candidates of a run by venue, most papers first. Raises as `candidates.pipeline_run`."""
    with consulting(viewer, Permission.RUN) as r:
        row = pipeline_run(r.session, run_id)
        by_paper: dict[str, list[CandidateLine]] = defaultdict(list)
        for candidate in candidates_in(r.session, row.id):
            by_paper[candidate.paper].append(candidate)
        by_venue: dict[str, list[list[CandidateLine]]] = defaultdict(list)
        for of_paper in by_paper.values():
            stored_paper = r.session.get(PaperRow, of_paper[0].value["paper"]) if of_paper[0].value["paper"] else None
            by_venue[venue_name(stored_paper.source) if stored_paper is not None else ""].append(of_paper)
    lines = [
        VenueLine(
            venue,
            domain_of(venue),
            len(papers),
            sum(map(len, papers)),
            sum(each.state is CandidateState.ACCEPTED for of_paper in papers for each in of_paper),
        )
        for venue, papers in by_venue.items()
    ]
    return tuple(sorted(lines, key=lambda each: (-each.papers, each.venue)))


def costs(viewer: Viewer, run_id: str) -> tuple[StepCost, ...]:
    """Return the tokens sent by each step of a run, in order, without steps that sent nothing.

    Raises as `candidates.pipeline_run`.
    """
    with consulting(viewer, Permission.RUN) as r:
        row = pipeline_run(r.session, run_id)
        used = {each.step: each for each in tokens_by_step(r.session, row.id)}
        steps = steps_of_settings(protocol_of(row.protocol), row.settings)
        return tuple(StepCost(step.title, used[step.name]) for step in steps if step.name in used)
