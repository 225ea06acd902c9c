"""Who may call what of runs that extract triplets: rows of the table in test_roles.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.people import Role, Viewer
from services.extraction.candidates import CandidateLine, CandidateState
from store.tables import new_id
from tests.services.acts import Act

RUNNERS = {Role.RESEARCHER, Role.OWNER}
EVERYONE = set(Role)
NO_RUN = "no such run"
CANDIDATE = CandidateLine(
    key="p",
    paper="p",
    number=1,
    made="no such value",
    version=1,
    value={"sign": "+"},
    flags=(),
    ruling=None,
    state=CandidateState.DECIDING,
    reason="",
)


def act() -> Act:
    return {"act_id": new_id()}


TABLE: dict[str, tuple[set[Role], Callable[[Viewer, Any], Any]]] = {
    "protocols.econcausal_pipeline.pipeline_papers.papers_with_files": (
        EVERYONE,
        lambda v, p: p.f("protocols.econcausal_pipeline.pipeline_papers").papers_with_files(v, [b"x"]),
    ),
    "protocols.econcausal_pipeline.pipeline_papers.make_ready": (
        RUNNERS,
        lambda v, p: p.f("protocols.econcausal_pipeline.pipeline_papers").make_ready(v),
    ),
    "extraction.funnel.funnel": (RUNNERS, lambda v, p: p.f("extraction.funnel").funnel(v, NO_RUN)),
    "extraction.lanes.papers_of": (RUNNERS, lambda v, p: p.f("extraction.lanes").papers_of(v, NO_RUN)),
    "extraction.lanes.lane": (RUNNERS, lambda v, p: p.f("extraction.lanes").lane(v, NO_RUN, "p")),
    "extraction.decisions.decisions": (RUNNERS, lambda v, p: p.f("extraction.decisions").decisions(v, NO_RUN)),
    "extraction.decisions.decide": (
        RUNNERS,
        lambda v, p: p.f("extraction.decisions").decide(v, CANDIDATE, "+", "", **act()),
    ),
    "extraction.decisions.undo": (
        RUNNERS,
        lambda v, p: p.f("extraction.decisions").undo(v, CANDIDATE, **act()),
    ),
    "extraction.collecting.plan": (RUNNERS, lambda v, p: p.f("extraction.collecting").plan(v, NO_RUN)),
    "extraction.collecting.collect": (
        RUNNERS,
        lambda v, p: p.f("extraction.collecting").collect(v, NO_RUN, "T", "", **act()),
    ),
    "extraction.collecting.assign_experts": (
        RUNNERS,
        lambda v, p: p.f("extraction.collecting").assign_experts(v, "no such collection", **act()),
    ),
    "extraction.collecting_relations.plan": (
        RUNNERS,
        lambda v, p: p.f("extraction.collecting_relations").plan(v, NO_RUN),
    ),
    "extraction.collecting_relations.collect": (
        RUNNERS,
        lambda v, p: p.f("extraction.collecting_relations").collect(v, NO_RUN, "T", "", **act()),
    ),
    "extraction.collecting_relations.year_sample": (
        RUNNERS,
        lambda v, p: p.f("extraction.collecting_relations").year_sample(v, "no such collection"),
    ),
    "extraction.summaries.summary": (RUNNERS, lambda v, p: p.f("extraction.summaries").summary(v, NO_RUN)),
    "extraction.summaries.venues": (RUNNERS, lambda v, p: p.f("extraction.summaries").venues(v, NO_RUN)),
    "extraction.summaries.costs": (RUNNERS, lambda v, p: p.f("extraction.summaries").costs(v, NO_RUN)),
    "extraction.step_files.step_files": (RUNNERS, lambda v, p: p.f("extraction.step_files").step_files(v, NO_RUN)),
}
WITHOUT_VIEWER = {
    "extraction.candidates.pipeline_run": "inside a caller's session",
    "extraction.candidates.candidates_in": "inside a caller's session",
    "extraction.collecting.row_of": "pure",
    "extraction.funnel.funnel_in": "inside a caller's session",
    "extraction.candidates.has_candidates": "pure",
    "extraction.step_outputs.step_outputs": "inside a caller's session",
    "protocols.econcausal_pipeline.pipeline_steps.read_files": "pure",
    "protocols.econcausal_pipeline.pipeline_steps.read_step_file": "pure",
    "protocols.econcausal_pipeline.pipeline_steps.papers_named": "pure",
}
