"""A finished run with its samples, replies and ledger, written straight to a store: the same rows every time."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

from sqlalchemy import insert
from sqlmodel import Session

from core.steps import ONE_STEP
from store.engine import Store
from store.tables import metadata

RUN_ID = "run-kept"
BEGAN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
WORDS = ("wages", "rise", "“tariffs”", "née", "\\beta", "µ-shock", "\u0001", "null", "falls", "labour", "+", "−")
MODELS = ("Lima", "Quito")
AT_ONCE = 50
POOL = 200_000
"""Words of which replies are cut."""


def keep_run(store: Store, *, items: int, reply_bytes: int) -> str:
    """Store a run of `items` items; return its id. Each has a reply of about `reply_bytes`, except one of seven, which
    failed, and one of five, which shares the reply of another repeat."""
    with store.writing() as session:
        _put(session, "worker", [_worker()])
        _put(session, "run", [_run()])
        texts = ("Answer with one JSON object.", *(_question(place) for place in range(_samples(items))))
        _put(session, "run_text", ({"hash": _hash(text), "text": text} for text in texts))
        _put(session, "run_sample", (_sample(place) for place in range(_samples(items))))
        _put(session, "reply", (_reply(number, reply_bytes) for number in range(items) if _has_own_reply(number)))
        _put(session, "run_item", (_item(number) for number in range(items)))
        _put(session, "attempt", (_attempt(number) for number in range(items) if number % 5 != 4))
    return RUN_ID


def _put(session: Session, table: str, rows: Iterable[dict[str, Any]]) -> None:
    """Write a few rows at a time: together they may be gigabytes."""
    waiting: list[dict[str, Any]] = []
    for row in rows:
        waiting.append(row)
        if len(waiting) == AT_ONCE:
            session.execute(insert(metadata.tables[table]), waiting)
            waiting = []
    if waiting:
        session.execute(insert(metadata.tables[table]), waiting)


def _samples(items: int) -> int:
    """Yield samples of five items each: two repeats of one model, three of the other."""
    return -(-items // 5)


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _question(place: int) -> str:
    return f"Question {place}: do {WORDS[place % len(WORDS)]} raise {WORDS[(place + 5) % len(WORDS)]}?\n"


def _has_own_reply(number: int) -> bool:
    return number % 7 != 3 and number % 5 != 4


def _request(number: int) -> str:
    return _hash(f"request {number - 1 if number % 5 == 4 else number}")


def _worker() -> dict[str, Any]:
    return {"id": "worker-1", "host": "here", "pid": 7, "started_at": BEGAN, "seen_at": BEGAN, "stopped_at": None}


def _run() -> dict[str, Any]:
    endpoint = {"name": "loopback", "base_url": "http://127.0.0.1:9/v1"}
    about = {"kind": "instruct", "provider": "", "model": "m-1", "parameters": {"temperature": 0}, "endpoint": endpoint}
    prompt = {"name": "econcausal/task1", "text": _hash("Answer with one JSON object.")}
    return {
        "id": RUN_ID,
        "number": 1,
        "title": "Kept – “whole”",
        "protocol": "econcausal",
        "protocol_version": "1",
        "state": "done",
        "reason": "",
        "hindered": {},
        "settings": {"models": dict.fromkeys(MODELS, about), "wanted": {"source": {"collections": []}}},
        "manifest": {"prompts": [prompt]},
        "created_by": "terminal",
        "created_at": BEGAN,
        "started_at": BEGAN,
        "finished_at": BEGAN + timedelta(hours=1),
        "archived_at": None,
        "version": 3,
    }


def _sample(place: int) -> dict[str, Any]:
    system, question = _hash("Answer with one JSON object."), _hash(_question(place))
    return {
        "id": f"sample-{place:06}",
        "run_id": RUN_ID,
        "place": place,
        "task": "task1",
        "variant": "context",
        "key": f"w{place // 4}/{place}",
        "step": ONE_STEP,
        "cell_id": None,
        "subject_kind": None,
        "subject_id": None,
        "sample_hash": _hash(f"sample {place}"),
        "prompt": "econcausal/task1",
        "prompt_hash": _hash("prompt"),
        "messages": [["system", system], ["user", question]],
        "answer": "+",
        "truth": None,
        "slots": None,
        "facts": {"paper": f"w{place // 4}", "year": 2000 + place % 4, "title": WORDS[place % len(WORDS)]},
    }


def _reply(number: int, size: int) -> dict[str, Any]:
    begin = Random(number).randrange(POOL // 2)
    words = _pool()[begin : begin + size]
    text = json.dumps({"predicted_sign": "+", "reasoning": words}, ensure_ascii=False)
    raw = json.dumps({"id": f"r{number}", "choices": [{"message": {"content": text}}]}, ensure_ascii=False)
    return {
        "request_hash": _request(number),
        "request": {"parameters": {"temperature": 0, "max_tokens": 50}, "messages": []},
        "attempt_id": f"attempt-{number:06}",
        "endpoint": "loopback",
        "model": "m-1",
        "raw": raw,
        "text": text,
        "reasoning": WORDS[number % len(WORDS)] if number % 3 else None,
        "refusal": None,
        "finish_reason": "stop",
        "logprobs": [{"token": "+", "logprob": -0.25, "top_logprobs": []}] if number % 2 else None,
        "tokens_in": 20 + number,
        "tokens_out": 9,
        "tokens_cached": None,
        "tokens_reasoning": 0,
        "cost_usd": 0.1 + number / 1000,
        "latency_s": 0.5,
        "provider_model": "m-1-2026",
        "provider_id": f"r{number}",
        "received_at": BEGAN + timedelta(seconds=number, microseconds=number),
    }


@cache
def _pool() -> str:
    return "".join(f"{word} " for word in Random(0).choices(WORDS, k=POOL))


def _item(number: int) -> dict[str, Any]:
    place, within = divmod(number, 5)
    is_answered = _has_own_reply(number) or (number % 5 == 4 and _has_own_reply(number - 1))
    return {
        "id": f"item-{number:06}",
        "run_id": RUN_ID,
        "sample_id": f"sample-{place:06}",
        "model": MODELS[within % 2],
        "repeat": within // 2,
        "shard": number // 100,
        "status": "answered" if is_answered else "failed",
        "request_hash": _request(number),
        "predicted": "+" if is_answered else None,
        "is_right": True if is_answered else None,
        "rung": "strict" if is_answered else "",
        "fault": "" if is_answered else "server_error: overloaded",
        "parsed": {"predicted_sign": "+", "reasoning": WORDS[place % len(WORDS)]} if is_answered else None,
        "repaired": None,
        "probabilities": {"+": 0.75, "-": 0.25} if number % 2 else None,
        "attempts": 1,
        "was_cached": number % 5 == 4,
        "done_at": BEGAN + timedelta(seconds=number) if is_answered else None,
    }


def _attempt(number: int) -> dict[str, Any]:
    is_answered = _has_own_reply(number)
    return {
        "id": f"attempt-{number:06}",
        "run_id": RUN_ID,
        "item_id": f"item-{number:06}",
        "request_hash": _request(number),
        "number": 1,
        "endpoint": "loopback",
        "model": MODELS[number % 5 % 2],
        "worker_id": "worker-1",
        "state": "answered" if is_answered else "error",
        "kind": "" if is_answered else "server_error",
        "http_status": 200 if is_answered else 529,
        "message": "" if is_answered else "overloaded",
        "raw": None if is_answered else '{"error": "\\u0001 née"}',
        "retry_after_s": None,
        "tokens_in": 20,
        "tokens_out": 9,
        "cost_usd": 0.1,
        "most_tokens": 99,
        "most_usd": 0.2,
        "sent_at": BEGAN + timedelta(seconds=number),
        "ended_at": BEGAN + timedelta(seconds=number + 1),
    }
