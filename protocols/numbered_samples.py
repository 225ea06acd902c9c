"""Numbered samples, derived from their number: a run may have more than fit in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SpacePart:
    """Number of samples of one task and variant."""

    task: str
    variant: str
    samples: int
    # True label → samples, as far as known without making them
    answers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Space:
    """All samples of a run, numbered from 0 without gaps. Exclusions have no number."""

    parts: tuple[SpacePart, ...]
    made: Mapping[str, Any] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()  # texts that messages refer to by hash; the run stores them
    counts: Mapping[str, int] = field(default_factory=dict)  # sizes of what samples are drawn from, shown by a dry run

    @property
    def samples(self) -> int:
        return sum(part.samples for part in self.parts)


def spread(total: int, most: int, together: int = 100) -> Iterator[tuple[int, int]]:
    """Yield (start, count) of numbers that represent all: all if at most `most`, else evenly spaced blocks of
    `together`.

    >>> list(spread(250, 300)), list(spread(1_000, 300))
    ([(0, 250)], [(0, 100), (450, 100), (900, 100)])
    """
    if total <= most:
        if total:
            yield 0, total
        return
    blocks = max(2, most // together)
    for block in range(blocks):
        yield block * (total - together) // (blocks - 1), together
