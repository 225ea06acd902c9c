"""Funnel of a run: the papers and candidates that reach each stage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sqlmodel import Session

from core.people import Permission, Viewer
from core.runs.states import ItemStatus
from core.steps import GroupState
from protocols.econcausal_pipeline.readers import EMPIRICAL
from protocols.econcausal_pipeline.tasks import CONSENSUS, EXTRACT, METADATA, PAPERS
from services.acting import consulting
from services.extraction.candidates import CandidateLine, CandidateState, candidates_in, pipeline_run
from services.extraction.step_outputs import step_outputs
from store.runs import groups

STAGES = (
    "papers",
    "extracted in full",
    "papers that claim nothing",
    "groups found",
    "candidates",
    "in empirical papers",
    "in context",
    "scored by all critics",
    *(state.value for state in CandidateState),
)


def funnel(viewer: Viewer, run_id: str) -> dict[str, int]:
    """Return stage → papers or candidates, in the order of `STAGES`. Raises as `candidates.pipeline_run`."""
    with consulting(viewer, Permission.RUN) as r:
        row = pipeline_run(r.session, run_id)
        return funnel_in(r.session, row.id, candidates_in(r.session, row.id))


def funnel_in(session: Session, run_id: str, candidates: Sequence[CandidateLine]) -> dict[str, int]:
    stored_groups = groups.of_run(session, run_id)
    by_step = {
        name: [each for each in stored_groups if each.step == name] for name in (PAPERS, EXTRACT, CONSENSUS, METADATA)
    }
    outputs = step_outputs(session, [each.id for name in (EXTRACT, METADATA) for each in by_step[name]])
    extracted = {each.id for each in by_step[EXTRACT]}
    answers = groups.answers(session, extracted)
    whole = [
        runs
        for key, runs in outputs.items()
        if key in extracted and all(each.status is ItemStatus.ANSWERED for each in answers.get(key, ()))
    ]
    agreed = groups.values(session, [each.id for each in by_step[CONSENSUS] if each.state is GroupState.DONE])
    empirical = {
        each.key
        for each in by_step[METADATA]
        for value in outputs.get(each.id, ())
        if value.get("paper_type") == EMPIRICAL
    }
    states = Counter(each.state for each in candidates)
    in_context = [each for each in candidates if each.items or each.final]
    return {
        "papers": len(by_step[PAPERS]),
        "extracted in full": len(whole),
        "papers that claim nothing": sum(not any(each["causal_relations"] for each in runs) for runs in whole),
        "groups found": sum(
            len(each.value["kept"]) + len(each.value["dropped"]) for some in agreed.values() for each in some
        ),
        "candidates": len(candidates),
        "in empirical papers": sum(each.paper in empirical for each in candidates),
        "in context": len(in_context),
        "scored by all critics": states[CandidateState.ACCEPTED] + states[CandidateState.REJECTED],
        **{state.value: states[state] for state in CandidateState},
    }
