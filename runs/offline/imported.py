"""Imported answers with their replies: stored, read and scored like a model's. There is no attempt, and nothing can be
asked again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from protocols.exchanges import Ask
from protocols.protocol import BenchmarkProtocol
from runs.endpoint.request import hash_of
from runs.item_outcomes import Turn, next_of
from store.runs.items import ItemOutcome, StoredReply, StoredRunSample
from store.tables.runs import RunRow

ELSEWHERE = "imported:"  # instead of an address
IMPORTED = "imported"  # in a run's settings: the file that it came from, with its hash and licence
SCORE_COLUMN = "score column"  # in an item's parts: the score in the file
# Flags: the file's remark on an answer's form, and that this program disagrees with it.
INVALID_FORMAT, OTHER_READING = "invalid format", "format read otherwise"
FIRST, CORRECTION = "reply", "correction"
ROUNDS = 2


def request_of_row(file: str, line: int, part: str = FIRST) -> dict[str, Any]:
    """Return the substitute for a request: a row of a file, named by its SHA-256."""
    return {"base_url": ELSEWHERE, "file": file, "row": line, "part": part}


def hash_of_row(file: str, line: int, part: str = FIRST) -> str:
    return hash_of(request_of_row(file, line, part))


def reply_row(
    file: str,
    line: int,
    *,
    model: str,
    key: str,
    text: str | None,
    reasoning: str | None,
    cells: Mapping[str, Any] | None,
    now: datetime,
    part: str = FIRST,
) -> dict[str, Any]:
    """Return a reply to store. `cells`: the row as imported, which becomes its body; `key`: its id in the file."""
    request = request_of_row(file, line, part)
    return {
        "request_hash": hash_of(request),
        "request": request,
        "attempt_id": "",
        "endpoint": "",
        "model": model,
        "raw": (text or "") if cells is None else json.dumps(dict(cells), ensure_ascii=False),
        "text": text,
        "reasoning": reasoning,
        "refusal": None,
        "finish_reason": "",
        "logprobs": None,
        "tokens_in": None,
        "tokens_out": None,
        "tokens_cached": None,
        "tokens_reasoning": None,
        "cost_usd": None,
        "latency_s": 0.0,
        "provider_model": "",
        "provider_id": key,
        "received_at": now,
    }


def imported_reply(row: Mapping[str, Any]) -> StoredReply:
    return StoredReply(row["request_hash"], "", row["text"], None, row["finish_reason"], None)


def cells_of(raw: str) -> dict[str, Any]:
    cells: dict[str, Any] = json.loads(raw)
    return cells


def is_imported(row: RunRow) -> bool:
    return IMPORTED in row.settings


def outcome_of_replies(
    protocol: BenchmarkProtocol, sample: StoredRunSample, replies: Sequence[StoredReply]
) -> ItemOutcome:
    """Return the outcome of an item's replies; without prompts, nothing further is asked."""
    turns = [Turn(Ask(sample.messages), "", reply) for reply in replies]
    outcome = next_of(protocol, sample, {}, turns, len(turns))
    assert isinstance(outcome, ItemOutcome), "without prompts nothing is asked"
    return outcome


def with_file(outcome: ItemOutcome, flags: Sequence[str], score: float | None) -> ItemOutcome:
    """Add the file's own flags and score to an outcome."""
    parts = outcome.parts if score is None else {**(outcome.parts or {}), SCORE_COLUMN: score}
    return replace(outcome, flags=[*(outcome.flags or ()), *flags] or None, parts=parts)


def read_again(
    protocol: BenchmarkProtocol, sample: StoredRunSample, replies: Sequence[StoredReply], before: ItemOutcome
) -> ItemOutcome:
    """Return the outcome of an item's replies today, with its file's flags and score."""
    flags = [flag for flag in (INVALID_FORMAT, OTHER_READING) if flag in (before.flags or ())]
    return with_file(outcome_of_replies(protocol, sample, replies), flags, (before.parts or {}).get(SCORE_COLUMN))
