"""Views of runs: the list, progress, and the card with every hash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from core.errors import Missing
from core.people import Permission, Viewer
from core.runs.states import AttemptState, ItemStatus, ModelKind, RunState
from core.runs.windows import NumberedWindow, numbered
from protocols.replies.finish_reasons import UNKNOWN_REASON
from runs.offline.imported import is_imported
from runs.run_plan import asked_models
from services.acting import ReadContext, consulting
from services.runs import budgets
from services.runs.prompts import stored_prompts
from services.runs.settings import BudgetSettings, DeviationLine
from services.runs.views import AttemptLine, ErrorGroup, ModelInRun, RunCard, RunChoice, RunLine, RunProgress
from store import history, run_blockers
from store.runs import asked_again, groups, replies, run_lists, totals
from store.runs import counts as run_counts
from store.runs import runs as stored
from store.runs.totals import Totals
from store.tables.runs import RunRow, SendRow

RATE_WINDOW = timedelta(seconds=60)
LIVELY = timedelta(seconds=30)
"""A worker with a heartbeat within this time counts as running."""
MOST_ATTEMPTS = 200
"""Attempts with implausible usage that a card lists."""
MOST_DIGITS = 9
"""Digits of a run's number; databases have no longer ones."""
Samples = tuple[int, tuple[tuple[str, str], ...]]
"""Number of samples of a run; its tasks and variants."""
NO_SAMPLES: Samples = (0, ())
ACTS = {
    "run.start": "Created",
    "run.redo": "Created to redo a step",
    "run.pause": "Paused",
    "run.stop": "Stopped",
    "run.wait": "Waiting",
    "run.hold": "Waiting",
    "run.go_on": "Continued",
    "run.try": "Retried at once",
    "run.finish": "Done",
    "run.resume": "Resumed",
    "run.cancel": "Cancelled",
    "run.retry": "Failed items retried",
    "run.ask_again": "Unparsable items asked again",
    "run.rule": "Decided by people",
    "run.unrule": "Decision taken back",
    "run.rescore": "Re-scored",
    "run.rename": "Renamed",
    "run.budget": "Budget changed",
    "run.archive": "Archived",
    "run.restore": "Restored",
}


def runs(viewer: Viewer, *, with_archived: bool = False) -> tuple[RunLine, ...]:
    """Return every run, newest first. The number of queries is constant."""
    with consulting(viewer, Permission.REVIEW) as r:
        return run_lines(r.session, stored.runs(r.session, with_archived=with_archived))


def page(viewer: Viewer, *, with_archived: bool, offset: int, limit: int) -> tuple[RunLine, ...]:
    """Return a page of the runs, newest first. Items are counted for these only."""
    with consulting(viewer, Permission.REVIEW) as r:
        rows = run_lists.some(r.session, with_archived=with_archived, offset=offset, limit=limit)
        return run_lines(r.session, rows)


def how_many(viewer: Viewer) -> tuple[int, int]:
    """Return the number of runs in use, and of archived ones."""
    with consulting(viewer, Permission.REVIEW) as r:
        return run_lists.how_many(r.session)


def choices(viewer: Viewer) -> tuple[RunChoice, ...]:
    """Return every run in use as an option, newest first, without counting items."""
    with consulting(viewer, Permission.REVIEW) as r:
        rows = run_lists.in_use(r.session)
        samples = totals.samples_of(r.session, [row.id for row in rows])
        numbers = run_lists.numbers_of(r.session)
        return tuple(
            RunChoice(**_choice_fields(row, samples.get(row.id, NO_SAMPLES), numbers.get(row.id))) for row in rows
        )


def is_archived(viewer: Viewer, run_id: str) -> bool:
    """Return whether a run is archived. Raises Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        return find_run(r.session, run_id).archived_at is not None


def ids_of(viewer: Viewer, ids: Sequence[str]) -> list[str]:
    """Return the ids of runs given by id or number, as in links; unknown numbers are skipped."""
    with consulting(viewer, Permission.REVIEW) as r:
        rows = [_find_by_number(r.session, each) if each.isdecimal() else each for each in ids]
    return [each.id if isinstance(each, RunRow) else each for each in rows if each is not None]


def progress(viewer: Viewer, run_id: str) -> RunProgress:
    """Return the current progress of a run. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        return _progress(r, row)


def card(viewer: Viewer, run_id: str) -> RunCard:
    """Return the settings, hashes and usage of a run. `run_id` may be its number. Raises Missing if there is none."""
    with consulting(viewer, Permission.REVIEW) as r:
        row = find_run(r.session, run_id)
        return _card(r.session, row)


def find_run(session: Session, run_id: str) -> RunRow:
    """Return a run by its id or number. Raises Missing if there is none."""
    if run_id.isdecimal():
        row = _find_by_number(session, run_id)
        if row is None:
            raise Missing(f"This study has no run {run_id}.")
        return row
    return stored.run_row(session, run_id)


def _find_by_number(session: Session, number: str) -> RunRow | None:
    return run_lists.with_number(session, int(number)) if len(number) <= MOST_DIGITS else None


# --- lines -------------------------------------------------------------------------------------------------------


def run_lines(session: Session, rows: Sequence[RunRow]) -> tuple[RunLine, ...]:
    ids = [row.id for row in rows]
    counts = run_counts.by_status(session, ids)
    samples = totals.samples_of(session, ids)
    used = totals.totals(session, ids)
    return tuple(
        _line(row, counts.get(row.id, {}), samples.get(row.id, NO_SAMPLES), used.get(row.id, {}).values())
        for row in rows
    )


def _line(
    row: RunRow,
    counts: Mapping[str, Mapping[str, int]],
    samples: Samples,
    used: Iterable[Totals],
) -> RunLine:
    by_status = summed(counts)
    return RunLine(
        **_choice_fields(row, samples, numbered(row.manifest)),
        protocol_version=row.protocol_version,
        reason=row.reason,
        total=sum(by_status.values()),
        by_status=by_status,
        cost_usd=_sum(each.cost_usd for each in used),
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        is_archived=row.archived_at is not None,
        version=row.version,
        blockers=run_blockers.read(row.hindered),
    )


def _choice_fields(row: RunRow, samples: Samples, numbers: NumberedWindow | None) -> dict[str, Any]:
    if numbers is not None:
        samples = numbers.samples, tuple((task, variant) for task, variant, _many in numbers.parts)
    models = row.settings["models"]
    return {
        "id": row.id,
        "number": row.number,
        "title": row.title,
        "protocol": row.protocol,
        "state": RunState(row.state),
        "tasks": tuple(dict.fromkeys(task for task, _variant in samples[1])),
        "models": tuple(
            name for name, about in models.items() if about["kind"] != ModelKind.BASELINE and not about.get("embeds")
        ),
        "baselines": tuple(name for name, about in models.items() if about["kind"] == ModelKind.BASELINE),
        "samples": samples[0],
        "repeats": row.settings["repeats"],
    }


def summed(counts: Mapping[str, Mapping[str, int]]) -> dict[ItemStatus, int]:
    """Sum over all models; every status is a key."""
    total: Counter[str] = Counter()
    for of_model in counts.values():
        total.update(of_model)
    return {status: total[status] for status in ItemStatus}


def _sum(values: Iterable[float | None]) -> float | None:
    """Return the sum of known values; None if none is known."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None


# --- progress ----------------------------------------------------------------------------------------------------


def _progress(r: ReadContext, row: RunRow) -> RunProgress:
    facts = run_counts.progress_facts(r.session, row.id, r.now - RATE_WINDOW)
    used = totals.totals(r.session, [row.id]).get(row.id, {}).values()
    by_status = summed(facts.by_status)
    rate = 0.0  # items per second, over the window or since the run started, whichever is shorter
    if row.started_at is not None and facts.answered_since:
        rate = facts.answered_since / max(1.0, min(RATE_WINDOW, r.now - row.started_at).total_seconds())
    # Unparsable items can be asked again, except those of an imported run.
    models = [] if is_imported(row) else asked_models(row.settings)
    unparsable = sum(facts.by_status.get(model, {}).get(ItemStatus.UNPARSABLE, 0) for model in models)
    spent = budgets.spending(r.session, row)
    is_asking = row.state in (RunState.QUEUED, RunState.RUNNING)
    return RunProgress(
        run_id=row.id,
        number=row.number,
        title=row.title,
        state=RunState(row.state),
        reason=row.reason,
        version=row.version,
        total=sum(by_status.values()),
        by_status=by_status,
        retrying=facts.retrying,
        cached=facts.cached,
        in_flight=facts.in_flight,
        uncertain=facts.uncertain,
        rate_per_s=rate,
        left_s=by_status[ItemStatus.PENDING] / rate if rate and is_asking else None,
        requests=facts.requests,
        tokens_in=facts.tokens_in,
        tokens_out=facts.tokens_out,
        cost_usd=_sum(each.cost_usd for each in used),
        unpriced=facts.without_cost,
        implausible=facts.implausible,
        budget=BudgetSettings(**row.settings["budget"]),
        worker_seen_at=totals.last_sign_of_life(r.session),
        has_worker=bool(replies.workers(r.session, r.now - LIVELY)),
        errors=_errors(r.session, row),
        at=r.now,
        unsent=facts.unsent,
        blockers=run_blockers.read(row.hindered),
        spending=spent,
        would_stop=budgets.why_it_would_stop(r.session, row, spent),
        has_steps=groups.has_any(r.session, row.id),
        protocol=row.protocol,
        by_model={name: summed({name: facts.by_status[name]}) for name in sorted(facts.by_status)},
        unparsable=unparsable,
    )


def _errors(session: Session, row: RunRow) -> tuple[ErrorGroup, ...]:
    models = row.settings["models"]
    return tuple(
        ErrorGroup(
            kind=each.kind,
            attempts=each.attempts,
            items=each.open_items,
            example=each.message,
            example_status=each.http_status,
            example_item=each.item_id,
            example_model=each.model,
            example_endpoint=models[each.model]["endpoint"]["name"],
            last_at=each.sent_at,
        )
        for each in totals.failed(session, row.id)
    )


# --- the card ----------------------------------------------------------------------------------------------------


def _card(session: Session, row: RunRow) -> RunCard:
    (line,) = run_lines(session, [row])
    counts = run_counts.by_status(session, [row.id]).get(row.id, {})
    used = totals.totals(session, [row.id]).get(row.id, {})
    cached = totals.cached_by_model(session, row.id)
    again = Counter(each.model for each in asked_again.items_asked_again(session, row.id).values())
    manifest = row.manifest
    resent, uncertain = _sent_with_unknown_end(session, row.id)
    # Of numbered samples; while a run works, whole shards are under way.
    is_at_work = row.state in (RunState.QUEUED, RunState.RUNNING)
    has_open_cells = numbered(manifest) is not None and not is_at_work and row.state != RunState.DONE
    flagged = totals.flagged(session, row.id, UNKNOWN_REASON)
    return RunCard(
        run=line,
        settings=dict(row.settings),
        hashes=dict(manifest["hashes"]),
        prompts=stored_prompts(session, row),
        models=tuple(
            _model(name, about, counts.get(name, {}), used.get(name, Totals()), cached.get(name, 0), again[name])
            for name, about in row.settings["models"].items()
        ),
        parameters=dict(manifest["parameters"]),
        deviations=tuple(DeviationLine(*each) for each in manifest["deviations"]),
        excluded=tuple((f"{task} · {variant} · {key}", why) for task, variant, key, why in manifest["excluded"]),
        repeated=sum(each.get("repeats", 0) for each in manifest["made"].values()),
        notices=tuple(manifest["notices"]),
        budget=BudgetSettings(**row.settings["budget"]),
        resends=resent,
        uncertain=uncertain,
        requests=sum(each.requests for each in used.values()),
        tokens_in=sum(each.tokens_in for each in used.values()),
        tokens_out=sum(each.tokens_out for each in used.values()),
        cost_usd=line.cost_usd,
        acts=_acts(session, row.id),
        unsent=sum(each.unsent for each in used.values()),
        open_cells=run_counts.open_cells(session, row.id) if has_open_cells else None,
        implausible=sum(each.implausible for each in used.values()),
        implausible_usage=tuple(
            attempt_line(each, is_resend=False) for each in totals.implausible_attempts(session, row.id, MOST_ATTEMPTS)
        ),
        unknown_reasons=tuple((model, flag, items) for (model, flag), items in sorted(flagged.items())),
    )


def _model(
    name: str, about: Mapping[str, Any], counts: Mapping[str, int], used: Totals, cached: int, again: int
) -> ModelInRun:
    return ModelInRun(
        name=name,
        kind=ModelKind(about["kind"]),
        snapshot=dict(about),
        by_status={status: counts.get(status, 0) for status in ItemStatus},
        requests=used.requests,
        cached=cached,
        tokens_in=used.tokens_in,
        tokens_out=used.tokens_out,
        tokens_cached=used.tokens_cached,
        tokens_reasoning=used.tokens_reasoning,
        cost_usd=used.cost_usd,
        asked_again=again,
    )


def _sent_with_unknown_end(session: Session, run_id: str) -> tuple[tuple[AttemptLine, ...], tuple[AttemptLine, ...]]:
    """Return (re-sends, attempts with an unknown end)."""
    again = {each.attempt_id for each in replies.resends(session, run_id)}
    unknown = totals.uncertain_attempts(session, run_id)
    rows: list[SendRow] = totals.attempts_by_id(session, again | unknown)
    lines = [attempt_line(row, is_resend=row.id in again) for row in rows]
    return tuple(each for each in lines if each.id in again), tuple(each for each in lines if each.id in unknown)


def _acts(session: Session, run_id: str) -> tuple[tuple[datetime, str], ...]:
    lines = []
    for event in history.events_about(session, run_id):
        words, payload = ACTS.get(event.act, event.act), event.payload
        if "changed" in payload:
            words = f"{words}: {payload['changed']:,} of {payload['looked_at']:,} items changed"
        if "left" in payload:
            words = f"{words}, {payload['left']:,} unchanged: they need another request, and no reply to it is stored"
        if "reopened" in payload:
            words = f"{words}: {payload['reopened']:,}"
        if "in_use" in payload:
            words = f"{words}, {payload['in_use']:,} unchanged: later steps are based on them"
        if "reason" in payload:
            words = f"{words}: {payload['reason']}"
        lines.append((event.at, words))
    return tuple(lines)


def attempt_lines(rows: Iterable[SendRow]) -> tuple[AttemptLine, ...]:
    """Return rows of the ledger in the order of sending. A request sent again after an unknown end is a re-send."""
    in_order = sorted(rows, key=lambda row: (row.sent_at, row.id))
    unknown: set[str] = set()
    lines_in_order = []
    for row in in_order:
        lines_in_order.append(attempt_line(row, is_resend=row.request_hash in unknown))
        if row.state == AttemptState.UNCERTAIN:
            unknown.add(row.request_hash)
    return tuple(lines_in_order)


def attempt_line(row: SendRow, *, is_resend: bool) -> AttemptLine:
    return AttemptLine(
        id=row.id,
        item_id=row.item_id,
        model=row.model,
        number=row.number,
        state=AttemptState(row.state),
        kind=row.kind,
        http_status=row.http_status,
        message=row.message,
        is_resend=is_resend,
        tokens_in=row.tokens_in,
        tokens_out=row.tokens_out,
        cost_usd=row.cost_usd,
        sent_at=row.sent_at,
        ended_at=row.ended_at,
    )
