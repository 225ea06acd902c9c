"""Runs parsed from a file of responses or evaluations, before they are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from protocols.protocol import BenchmarkProtocol
from protocols.samples import Sample
from services.runs.settings import RunConfig
from store.runs.items import ItemOutcome, StoredRunSample

NUMBERS_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadItem:
    """An item of a run that is being imported."""

    sample: int
    model: str
    repeat: int
    replies: tuple[Mapping[str, Any], ...]  # rows of `reply`, the first request's first
    outcome: ItemOutcome
    helper: str = ""  # model of a further reply
    purpose: str = ""


@dataclass(kw_only=True)
class ReadRun:
    """A run that is being imported, before it is written."""

    wanted: RunConfig
    protocol: BenchmarkProtocol
    helpers: tuple[str, ...] = ()
    samples: list[Sample] = field(default_factory=list)
    items: list[ReadItem] = field(default_factory=list)
    beside: list[Mapping[str, Any]] = field(default_factory=list)  # replies without an item
    sources: dict[str, str] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)


def sample_to_store(sample: Sample) -> StoredRunSample:
    """Return a sample as its run will store it: without messages, since none were sent from here."""
    return StoredRunSample(
        task=sample.task,
        variant=sample.variant,
        key=sample.key,
        hash=sample.hash,
        answer=sample.answer,
        facts=sample.facts,
        messages=(),
        subject=sample.subject,
        truth=sample.truth,
    )


def moment_of(text: str | None, now: datetime) -> datetime:
    """Parse a date of a file; the time of the import if it is missing or unreadable."""
    try:
        moment = datetime.fromisoformat((text or "").strip())
    except ValueError:
        return now
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def format_lines(lines: Sequence[int]) -> str:
    """Return "rows 3, 9" with the first line numbers and how many more there are."""
    more = f" and {len(lines) - NUMBERS_SHOWN:,} more" if len(lines) > NUMBERS_SHOWN else ""
    return f"row{'s' * (len(lines) > 1)} {', '.join(f'{each:,}' for each in lines[:NUMBERS_SHOWN])}{more}"


def repeats_of(keys: Iterable[Any]) -> list[int]:
    """Return for each key how often it occurred before."""
    seen: Counter[Any] = Counter()
    repeats = []
    for key in keys:
        repeats.append(seen[key])
        seen[key] += 1
    return repeats
