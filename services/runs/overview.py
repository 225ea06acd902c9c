"""Model runs on the overview: those that need a person's action."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from core.people import Permission
from core.runs.states import AT_WORK, RunState, progress_text
from core.words import sentence_case
from services.acting import ReadContext
from services.overview_contributions import FunnelStep, NextStep, OverviewPart, SubjectStatus
from services.runs.reading import LIVELY, summed
from store.runs import counts as run_counts
from store.runs import replies, run_lists
from store.triplets import triplets

WORDS = {
    "run.start": "started a model run",
    "run.import": "imported model runs with their answers",
    "run.redo": "redid a step of a model run as a new run",
    "run.pause": "paused a model run",
    "run.stop": "stopped a model run",
    "run.wait": "set a model run to waiting until its server answers",
    "run.hold": "set a model run to waiting until people decide or failed items are retried",
    "run.go_on": "continued a model run",
    "run.try": "tried the server of a model run",
    "run.finish": "finished a model run",
    "run.resume": "resumed a model run",
    "run.cancel": "cancelled a model run",
    "run.retry": "retried the failed items of a model run",
    "run.ask_again": "asked the unparsable items of a model run again",
    "run.rule": "decided on a value of a model run",
    "run.unrule": "took back a decision on a value of a model run",
    "run.rescore": "re-scored a model run",
    "run.rename": "renamed a model run",
    "run.budget": "changed the budget of a model run",
    "run.archive": "archived a model run",
    "run.restore": "restored a model run",
    "sample.flag": "flagged a sample of model runs as bad",
    "sample.unflag": "took back the flag of a bad sample",
    "view.save": "saved a view of failures",
    "view.remove": "removed a view of failures",
    "endpoint.save": "saved an endpoint",
    "endpoint.test": "tested an endpoint",
    "endpoint.archive": "archived an endpoint",
    "endpoint.restore": "restored an endpoint",
    "model.save": "saved a model card",
    "model.archive": "archived a model card",
    "model.restore": "restored a model card",
}
MOST_RUNS = 3


def _status(r: ReadContext) -> SubjectStatus:
    in_use, _archived = run_lists.how_many(r.session)
    page = "runs" if r.viewer.may(Permission.REVIEW) else ""
    steps = list(islice(_steps(r, in_use), MOST_RUNS)) if r.viewer.may(Permission.RUN) else []
    return SubjectStatus({"runs": steps}, (FunnelStep("model runs", in_use, page, {}, is_stage=False),))


def _steps(r: ReadContext, in_use: int) -> Iterator[NextStep]:
    """Yield the next steps about runs, newest first. Items are counted only for the runs listed."""
    if not in_use and triplets.collections(r.session):
        yield NextStep("Start a first model run", "Baselines alone need no key", "runs", {"show": "new"})
        return
    has_worker = bool(replies.workers(r.session, r.now - LIVELY))
    for row in run_lists.runs_for_people(r.session):
        link = {"run": str(row.number)}
        if row.state == RunState.STOPPED:
            yield NextStep(f"Run {row.number} stopped by itself", row.reason, "runs", link)
        elif row.state == RunState.WAITING and not row.hindered:
            yield NextStep(f"Run {row.number} is waiting", sentence_case(row.reason), "runs", link)
        elif row.state in AT_WORK and not has_worker:
            yield NextStep(f"Run {row.number} is waiting for a worker", "No worker is running", "runs", link)
        elif row.state == RunState.WAITING:
            yield NextStep(f"Run {row.number} is waiting for a server", sentence_case(row.reason), "runs", link)
        elif row.state == RunState.DONE:
            counts = summed(run_counts.by_status(r.session, [row.id]).get(row.id, {}))
            yield NextStep(f"Retry failed items of run {row.number}", progress_text(counts), "runs", link)


OVERVIEW = OverviewPart(WORDS, now=_status)
