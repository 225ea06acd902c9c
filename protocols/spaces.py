"""Samples that are numbered, each derived by its number: a run may have more of them than anybody holds at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SpacePart:
    """How many samples there are of one task and variant. `answers`: true label → samples, as far as that is known
    without making them."""

    task: str
    variant: str
    samples: int
    answers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Space:
    """All samples of a run, numbered from 0 on. Every number has a sample: what is left out is not counted. `made` and
    `notices` as `Samples` has them. `texts`: what messages name by hash, for the run to keep; `counts`: of what the
    samples are drawn from, for a dry run to show."""

    parts: tuple[SpacePart, ...]
    made: Mapping[str, Any] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def samples(self) -> int:
        return sum(part.samples for part in self.parts)


def spread(total: int, most: int, together: int = 100) -> Iterator[tuple[int, int]]:
    """(start, count) of numbers that stand for all of them, `together` in a row: all of them if there are `most` at
    most, else as many blocks as that allows, at equal distances.

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
