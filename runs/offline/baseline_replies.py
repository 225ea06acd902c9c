"""Answers of baselines: computed here, then stored, read and scored like a model's. There is no attempt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from core.runs.states import ItemStatus
from protocols.baselines import baseline_of
from protocols.protocol import BenchmarkProtocol
from runs.endpoint.request import hash_of
from runs.item_outcomes import outcome_of, sample_of
from runs.run_plan import RunPlan
from store.runs.items import ItemOutcome, OpenItem, StoredReply, StoredRunSample

HERE = "baseline:"  # instead of an address
Row = dict[str, Any]


# (baseline's name in the run, "task/variant") → its summary of all these samples
OfAll = dict[tuple[str, str], str | None]


def unknown(
    plan: RunPlan, protocol: BenchmarkProtocol, items: Sequence[OpenItem], known: OfAll
) -> Iterator[tuple[str, StoredRunSample]]:
    """Yield (baseline, sample) for each task and variant whose summary was unknown when the run was planned."""
    unplanned: dict[tuple[str, str], tuple[str, StoredRunSample]] = {}
    for item in items:
        model, pair = plan.model(item.model), pair_of(item.sample)
        is_known = pair in model.majority or (item.model, pair) in known
        if not is_known and baseline_of(protocol.baselines, model.baseline).of_all is not None:
            unplanned.setdefault((item.model, pair), (item.model, item.sample))
    yield from unplanned.values()


def of_all(plan: RunPlan, protocol: BenchmarkProtocol, model: str, samples: Iterable[StoredRunSample]) -> str | None:
    """Return a baseline's summary of these samples, which are all of one task and variant."""
    summarise = baseline_of(protocol.baselines, plan.model(model).baseline).of_all
    return None if summarise is None else summarise([sample_of(each) for each in samples])


def pair_of(sample: StoredRunSample) -> str:
    return f"{sample.task}/{sample.variant}"


def texts_read(plan: RunPlan, protocol: BenchmarkProtocol, items: Sequence[OpenItem]) -> set[str]:
    """Return the hashes of the texts that baselines need to answer these items."""
    hashes = set()
    for item in items:
        if name := baseline_of(protocol.baselines, plan.model(item.model).baseline).reads:
            hashes.add(str(item.sample.facts[name]))
    return hashes


def answers(
    plan: RunPlan,
    protocol: BenchmarkProtocol,
    items: Sequence[OpenItem],
    now: datetime,
    known: Mapping[tuple[str, str], str | None] = MappingProxyType({}),
    texts: Mapping[str, str] = MappingProxyType({}),
) -> tuple[list[Row], list[tuple[OpenItem, str | None, ItemOutcome]]]:
    """Return rows of replies to store first, and (item, request hash, outcome) of each item. A baseline without an
    answer excludes the sample. `known`: summaries missing in the run's plan. `texts`: `texts_read`, by hash."""
    rows: list[Row] = []
    outcomes: list[tuple[OpenItem, str | None, ItemOutcome]] = []
    for item in items:
        sample, model = item.sample, plan.model(item.model)
        baseline = baseline_of(protocol.baselines, model.baseline)
        pair = pair_of(sample)
        plain_sample = sample_of(sample)
        if baseline.reads:
            plain_sample = replace(plain_sample, slots={baseline.reads: texts[plain_sample.facts[baseline.reads]]})
        text = baseline.answer(plain_sample, model.majority.get(pair, known.get((item.model, pair))), plan.seed)
        if text is None:
            excluded = ItemOutcome(status=ItemStatus.EXCLUDED.value, fault=baseline.no_answer)
            outcomes.append((item, None, excluded))
            continue
        row = _row(model.baseline, sample.hash, text, now)
        rows.append(row)
        reply = StoredReply(row["request_hash"], "", text, None, "stop", None)
        outcomes.append((item, row["request_hash"], outcome_of(protocol, sample, reply)))
    return rows, outcomes


def _row(baseline: str, sample_hash: str, text: str, now: datetime) -> Row:
    # The hash covers the answer: the majority depends on the run's other samples.
    request: Row = {"base_url": HERE, "model": baseline, "sample": sample_hash, "says": text}
    return {
        "request_hash": hash_of(request),
        "request": request,
        "attempt_id": "",
        "endpoint": "",
        "model": baseline,
        "raw": text,
        "text": text,
        "reasoning": None,
        "refusal": None,
        "finish_reason": "stop",
        "logprobs": None,
        "tokens_in": None,
        "tokens_out": None,
        "tokens_cached": None,
        "tokens_reasoning": None,
        "cost_usd": None,
        "latency_s": 0.0,
        "provider_model": "",
        "provider_id": "",
        "received_at": now,
    }
