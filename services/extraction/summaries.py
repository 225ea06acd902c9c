"""What a run's candidates come to, for its tables."""

from __future__ import annotations

from core.people import May, Viewer
from protocols.econcausal_pipeline.summary import CandidateSummary, summary_of
from protocols.econcausal_pipeline.tasks import CONSENSUS
from services.acting import consulting
from services.extraction.candidates import candidates_in, pipeline_run
from store.runs import groups


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
