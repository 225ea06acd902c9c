"""Answers of baselines: made here, then kept, read and scored like a model's. Nothing is sent: there is no attempt."""

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
from runs.outcomes import outcome_of, sample_of
from runs.run_plan import RunPlan
from store.runs.items import ItemOutcome, KeptReply, KeptSample, OpenItem

HERE = "baseline:"
"""In the place of an address."""
Row = dict[str, Any]


OfAll = dict[tuple[str, str], str | None]
"""What a baseline takes of all samples of a task and variant: by its name in the run and "task/variant"."""


def unknown(
    plan: RunPlan, protocol: BenchmarkProtocol, items: Sequence[OpenItem], known: OfAll
) -> Iterator[tuple[str, KeptSample]]:
    """(baseline, a sample) of each task and variant of which it takes something of all samples that nobody knew when
    the run was planned, since the samples were not made yet."""
    unplanned: dict[tuple[str, str], tuple[str, KeptSample]] = {}
    for item in items:
        model, pair = plan.model(item.model), pair_of(item.sample)
        is_known = pair in model.majority or (item.model, pair) in known
        if not is_known and baseline_of(protocol.baselines, model.baseline).of_all is not None:
            unplanned.setdefault((item.model, pair), (item.model, item.sample))
    yield from unplanned.values()


def of_all(plan: RunPlan, protocol: BenchmarkProtocol, model: str, samples: Iterable[KeptSample]) -> str | None:
    """What a baseline takes of these samples, which are all of one task and variant."""
    summarise = baseline_of(protocol.baselines, plan.model(model).baseline).of_all
    return None if summarise is None else summarise([sample_of(each) for each in samples])


def pair_of(sample: KeptSample) -> str:
    return f"{sample.task}/{sample.variant}"


def texts_read(plan: RunPlan, protocol: BenchmarkProtocol, items: Sequence[OpenItem]) -> set[str]:
    """Hashes of the texts that baselines look at to answer these."""
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
    """Rows of replies to keep first, and (item, request hash, outcome) of each; a baseline without an answer to a
    sample leaves it out. `known`: of all samples, what the run's plan does not know; `texts`: those of `texts_read`, by
    their hash."""
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
        reply = KeptReply(row["request_hash"], "", text, None, "stop", None)
        outcomes.append((item, row["request_hash"], outcome_of(protocol, sample, reply)))
    return rows, outcomes


def _row(baseline: str, sample_hash: str, text: str, now: datetime) -> Row:
    """The reply to a sample. What it says is part of its hash: the majority depends on the run's other samples."""
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
