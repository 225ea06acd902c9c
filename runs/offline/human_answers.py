"""Answers of people: graphs that they built from texts, stored, read and scored like a model's. Nothing is sent."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from core.runs.human_answers import HUMAN
from core.runs.states import ModelKind
from runs.endpoint.request import hash_of


def reply_row(
    model: str, assignment_id: str, sample_hash: str, text: str, active_s: float, now: datetime
) -> dict[str, Any]:
    """Return the reply to a sample. `active_s`: seconds of work without idle gaps, stored as the latency."""
    request = {"base_url": HUMAN, "model": model, "sample": sample_hash, "assignment": assignment_id, "says": text}
    return {
        "request_hash": hash_of(request),
        "request": {**request, "active_s": active_s},
        "attempt_id": "",
        "endpoint": "",
        "model": model,
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
        "latency_s": active_s,
        "provider_model": "",
        "provider_id": "",
        "received_at": now,
    }


def snapshot(model: str) -> dict[str, Any]:
    """Return the entry for a person among a run's models: only that it is no program."""
    about = ("parameters_b", "is_open_weight", "knowledge_cutoff", "context_length")
    return {
        "kind": ModelKind.HUMAN.value,
        "model": model,
        "provider": "",
        "family": "",
        **dict.fromkeys(about),
        "prices": dict.fromkeys(("input", "cached", "output")),
        "parameters": {},
    }
