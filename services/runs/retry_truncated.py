"""Retry of truncated answers with a higher token limit, as a run over these items, based on the earlier run.

All messages are those of the earlier run, by the hashes of their texts, so only the limit differs. If a run stores no
messages they are made again and verified by the hash of the sent request. A cached reply for the new limit is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlmodel import col, select

from core.errors import BadInput, Refused
from core.messages import Messages, hashes_in, size_of
from core.people import Permission, Receipt, Viewer
from core.runs.states import ItemStatus
from core.runs.windows import NUMBERED, numbered
from core.words import counted
from protocols import PROTOCOLS
from protocols.samples import content_hash
from runs.context_limits import too_long_for
from runs.endpoint.request import ModelRequest, request_hash
from runs.item_outcomes import protocol_of, sample_of
from runs.numbered.derived import DerivedMessages
from runs.queues import queue_of
from runs.run_plan import limits_of
from services.acting import ReadContext, Writing, consulting, perform
from services.runs.models import LIMITS
from services.runs.reading import find_run
from services.runs.steps.redoing import obstacle_to_redo
from store.runs import runs
from store.runs.asked_again import sent_hash
from store.runs.items import StoredRunSample, sample_as_stored
from store.runs.runs import NewItem, NewRun, NewSample
from store.tables.runs import RunItemRow, RunRow, RunSampleRow

Snapshots = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LongerPlan:
    """Preview of a retry."""

    run: int
    items: int  # truncated
    cached: int  # have a reply already
    limits: Mapping[str, tuple[int | None, int]]  # model → (previous limit or None, new limit), in tokens

    @property
    def requests(self) -> int:
        return self.items - self.cached


@dataclass(frozen=True, slots=True, kw_only=True)
class _Longer:
    base: RunRow
    models: Snapshots
    samples: tuple[NewSample, ...]
    items: tuple[NewItem, ...]
    limits: Mapping[str, tuple[int | None, int]]


def plan_longer(viewer: Viewer, run_id: str, max_tokens: int | None = None) -> LongerPlan:
    """Return what `ask_longer` would send. Nothing is stored. Raises like `ask_longer`."""
    with consulting(viewer, Permission.RUN) as r:
        retry = _prepare(r, run_id, max_tokens)
        cached = runs.cached_hashes(r.session, {each.request_hash for each in retry.items if each.request_hash})
    many = sum(each.request_hash in cached for each in retry.items)
    return LongerPlan(run=retry.base.number, items=len(retry.items), cached=many, limits=retry.limits)


def ask_longer(viewer: Viewer, run_id: str, max_tokens: int | None = None, *, act_id: str) -> Receipt:
    """Start a run over the truncated items of this one; the receipt's subject is the new run. `max_tokens` is the new
    limit; None doubles each model's limit. Raises Missing for an unknown run, Refused for one of several steps, at
    work or without truncated answers, BadInput for a limit that is not higher."""
    with consulting(viewer, Permission.RUN) as r:
        retry = _prepare(r, run_id, max_tokens)

    def act(w: Writing) -> Receipt:
        base = retry.base
        words = "; ".join(f"{name}: {new:,} tokens, {_words(old)} before" for name, (old, new) in _limits(retry))
        redo = {"truncated": True, "limits": {name: list(each) for name, each in retry.limits.items()}}
        helpers = {card for cards in (base.settings.get("roles") or {}).values() for card in cards}
        helper_snapshots = {name: snapshot for name, snapshot in base.settings["models"].items() if name in helpers}
        settings = {**base.settings, "models": {**helper_snapshots, **retry.models}, "redo": redo}
        hashes = {
            **(base.manifest.get("hashes") or {}),
            "samples": content_hash(sorted(each.sample_hash for each in retry.samples)),
            "requests": content_hash(sorted(each.request_hash or "" for each in retry.items)),
            "models": content_hash(settings["models"]),
            "redo": content_hash(redo),
        }
        deviations = [*base.manifest.get("deviations", []), ["Limit of tokens", f"as in run {base.number}", words]]
        run = NewRun(
            title=base.title,
            protocol=base.protocol,
            protocol_version=protocol_of(base.protocol).version,
            settings=settings,
            manifest={**base.manifest, "hashes": hashes, "deviations": deviations, **_numbers(retry)},
            created_by=w.actor.id,
            based_on=base.id,
        )
        inserted = runs.insert_run(w.session, run, retry.samples, retry.items, w.now)
        queue_of(w.study.store).submit(w.session, inserted.run_id, inserted.shards)
        payload = {"number": inserted.number, "based_on": base.number, "step": "truncated", "changes": words}
        return w.record("run.redo", "run", inserted.run_id, payload=payload)

    return perform(viewer, Permission.RUN, act_id, act, asked=(retry.base.id, sorted(_limits(retry))))


def _numbers(retry: _Longer) -> dict[str, Any]:
    """Return the numbers of samples and items of the new run, if samples of the earlier run are numbered."""
    numbers = numbered(retry.base.manifest)
    if numbers is None:
        return {}
    samples_by_part = Counter((each.task, each.variant) for each in retry.samples)
    parts = tuple((task, variant, many) for (task, variant), many in samples_by_part.items())
    items = {name: numbers.items[name] for name in retry.limits}
    return {NUMBERED: replace(numbers, parts=parts, items=items).as_json()}


def _limits(retry: _Longer) -> list[tuple[str, tuple[int | None, int]]]:
    return list(retry.limits.items())


def _prepare(r: ReadContext, run_id: str, max_tokens: int | None) -> _Longer:
    base = find_run(r.session, run_id)
    if base.protocol not in PROTOCOLS or base.settings.get("steps"):
        raise Refused(f"Run {base.number} does not keep its requests one by one. Redo its step, or set up a new run.")
    if why := obstacle_to_redo(base):
        raise Refused(why)
    query = (
        select(RunItemRow, RunSampleRow)
        .join(RunSampleRow, col(RunSampleRow.id) == col(RunItemRow.sample_id))
        .where(RunItemRow.run_id == base.id, RunItemRow.status == ItemStatus.TRUNCATED.value)
        .order_by(col(RunSampleRow.place), col(RunItemRow.model), col(RunItemRow.repeat))
    )
    cut_off = list(r.session.exec(query))
    if not cut_off:
        raise Refused(f"Run {base.number} has no reply that was cut off.")
    models, limits = _snapshots(base, {item.model for item, _sample in cut_off}, max_tokens)
    derived = DerivedMessages.of(r.session, base)
    places: dict[str, int] = {}
    samples: list[NewSample] = []
    sent: list[Messages] = []
    items: list[NewItem] = []
    for item, row in cut_off:
        if row.id not in places:
            places[row.id] = len(samples)
            stored_sample = sample_as_stored(r.session, row.id)
            samples.append(_sample(base, row, stored_sample))
            sent.append(stored_sample.messages if derived is None else derived.messages(stored_sample))
        place = places[row.id]
        if derived is not None and _hash(base.settings["models"][item.model], sent[place], item) != sent_hash(
            item.request_hash or ""
        ):
            raise Refused(
                f"Run {base.number} keeps no messages, and that of {row.key} is now made otherwise than it was sent. "
                "Set up a new run."
            )
        size = size_of(sent[place], runs.text_sizes(r.session, set(hashes_in(sent[place]))))
        if why := too_long_for(item.model, size, limits_of(models[item.model])):
            items.append(NewItem(place, item.model, item.repeat, status=ItemStatus.EXCLUDED.value, fault=why))
        else:
            items.append(NewItem(place, item.model, item.repeat, _hash(models[item.model], sent[place], item)))
    return _Longer(base=base, models=models, samples=tuple(samples), items=tuple(items), limits=limits)


def _snapshots(
    base: RunRow, names: set[str], max_tokens: int | None
) -> tuple[Snapshots, dict[str, tuple[int | None, int]]]:
    snapshots: Snapshots = {}
    limits: dict[str, tuple[int | None, int]] = {}
    for name in sorted(names):
        snapshot = base.settings["models"][name]
        parameters = dict(snapshot.get("parameters") or {})
        own = next((each for each in LIMITS if each in parameters), LIMITS[0])
        before = parameters.get(own)
        if max_tokens is None and before is None:
            raise BadInput(f"{name} has no limit of its own; say the new one.")
        after = max_tokens if max_tokens is not None else 2 * (before or 0)
        if after < 1 or (before is not None and after <= before):
            raise BadInput(f"Limit of tokens: found {after:,}; more than {before:,} are needed, the limit of {name}.")
        snapshots[name] = {**snapshot, "parameters": {**parameters, own: after}}
        limits[name] = (before, after)
    return snapshots, limits


def _sample(base: RunRow, row: RunSampleRow, stored_sample: StoredRunSample) -> NewSample:
    sample = sample_of(stored_sample)
    return NewSample(
        task=row.task,
        variant=row.variant,
        key=row.key,
        sample_hash=row.sample_hash,
        answer=row.answer,
        facts=row.facts,
        messages=stored_sample.messages,
        prompt=row.prompt,
        prompt_hash=row.prompt_hash,
        subject=sample.subject,
        step=row.step,
        truth=row.truth,
        slots=stored_sample.slots,
        labels=protocol_of(base.protocol).summary(sample).labels,
    )


def _hash(snapshot: Mapping[str, Any], messages: Messages, item: RunItemRow) -> str:
    endpoint = snapshot["endpoint"]
    return request_hash(
        ModelRequest(
            endpoint["name"],
            endpoint["base_url"],
            snapshot["model"],
            messages,
            snapshot.get("parameters") or {},
            item.repeat,
        )
    )


def _words(limit: int | None) -> str:
    return "no limit" if limit is None else f"{limit:,}"


def format_plan(plan: LongerPlan) -> str:
    lines = [
        f"{counted(plan.items, 'item')} of run {plan.run} cut off; {counted(plan.requests, 'request')}, "
        f"{plan.cached:,} cached."
    ]
    lines += [f"{name}: {new:,} tokens, {_words(old)} before" for name, (old, new) in plan.limits.items()]
    return "\n".join(lines)
