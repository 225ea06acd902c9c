"""Counts of the answers behind a number, by how each of them counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from core.runs.states import ItemStatus

# Statuses of items whose answer is missing: they count as 0 or are excluded, depending on the benchmark.
FAILURES = frozenset({ItemStatus.REFUSED.value, ItemStatus.TRUNCATED.value, ItemStatus.FAILED.value})


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCounts:
    """Counts of the answers behind a number. Raises ValueError unless the parts add up to `asked`."""

    asked: int = 0  # all answers that the number is about
    scored: int = 0  # in the number with a score of their own
    empty: int = 0  # scored ones that are unparsable or have no edge; their score is 0
    as_zero: int = 0  # refused, truncated or failed, in the number as 0
    left_out: int = 0  # not in the number although asked for
    incomplete: int = 0  # parts are missing or unjudged; never 0
    excluded: int = 0  # not asked for, for a reason
    pending: int = 0  # still to come

    def __post_init__(self) -> None:
        parts = self.scored + self.as_zero + self.left_out + self.incomplete + self.excluded + self.pending
        if parts != self.asked or self.empty > self.scored:
            raise ValueError(f"the parts of these answers do not add up: {self}")

    @property
    def in_number(self) -> int:
        return self.scored + self.as_zero

    @property
    def is_plain(self) -> bool:
        return self.scored == self.asked and not self.empty

    def __str__(self) -> str:
        """
        Only the scored ones are named where there are none.

        >>> str(AnswerCounts(asked=24, scored=19, empty=8, as_zero=5))
        '24 asked = 19 scored (8 of them unparsable or empty) + 5 counted as 0'
        >>> str(AnswerCounts(asked=19, scored=19))
        '19 asked = 19 scored'
        """
        of_them = f" ({self.empty:,} of them unparsable or empty)" if self.empty else ""
        parts = [f"{self.scored:,} scored{of_them}"]
        others = {
            "counted as 0": self.as_zero,
            "left out": self.left_out,
            "incomplete": self.incomplete,
            "excluded": self.excluded,
            "pending": self.pending,
        }
        parts += [f"{many:,} {what}" for what, many in others.items() if many]
        return f"{self.asked:,} asked = {' + '.join(parts)}"


def added(counts: Iterable[AnswerCounts]) -> AnswerCounts:
    every = list(counts)
    return AnswerCounts(**{each.name: sum(getattr(one, each.name) for one in every) for each in fields(AnswerCounts)})
