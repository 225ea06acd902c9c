"""Runs of a file of responses or evaluations as they are read, before anything is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from protocols.protocol import BenchmarkProtocol
from protocols.samples import Sample
from services.runs.settings import RunConfig
from store.runs.items import ItemOutcome, KeptSample

NUMBERS_TOLD = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadItem:
    """An item of a run that is being imported. `replies`: rows of `reply`, that of its first request first; a further
    one was made by the model `helper`."""

    sample: int
    model: str
    repeat: int
    replies: tuple[Mapping[str, Any], ...]
    outcome: ItemOutcome
    helper: str = ""
    purpose: str = ""


@dataclass(kw_only=True)
class ReadRun:
    """A run that is being imported, before it is written. `beside`: replies that no item has."""

    wanted: RunConfig
    protocol: BenchmarkProtocol
    helpers: tuple[str, ...] = ()
    samples: list[Sample] = field(default_factory=list)
    items: list[ReadItem] = field(default_factory=list)
    beside: list[Mapping[str, Any]] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)


def kept_sample_of(sample: Sample) -> KeptSample:
    """A sample as its run will keep it: no message was sent from here."""
    return KeptSample(
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


def moment_of(said: str | None, now: datetime) -> datetime:
    """A date of a file; the import's own where it has none that can be read."""
    try:
        found = datetime.fromisoformat((said or "").strip())
    except ValueError:
        return now
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def lines_told(lines: Sequence[int]) -> str:
    """ "rows 3, 9": the first of them, and how many more there are."""
    more = f" and {len(lines) - NUMBERS_TOLD:,} more" if len(lines) > NUMBERS_TOLD else ""
    return f"row{'s' * (len(lines) > 1)} {', '.join(f'{each:,}' for each in lines[:NUMBERS_TOLD])}{more}"


def repeats_of(keys: Iterable[Any]) -> list[int]:
    """For each key, how often it stood before."""
    seen: Counter[Any] = Counter()
    found = []
    for key in keys:
        found.append(seen[key])
        seen[key] += 1
    return found
