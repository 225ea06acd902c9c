"""Counts of the answers behind a number by what each of them counts for, as one sum."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from core.runs.states import ItemStatus

FAILURES = frozenset({ItemStatus.REFUSED.value, ItemStatus.TRUNCATED.value, ItemStatus.FAILED.value})
"""Statuses of items whose answer is missing: they count as 0 or are left out, as the benchmark has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCounts:
    """The answers behind a number. Raises ValueError unless the parts add up to `asked`.

    Attributes:
        asked: all answers that the number is about
        scored: answers in the number with a score of their own
        empty: of the scored ones, those that are unparsable or have no edge, and score 0
        as_zero: refused, truncated or failed answers that are in the number as 0
        left_out: answers that are not in the number although they were asked for
        incomplete: answers of which parts are missing, or that a judge did not judge whole; never 0
        excluded: answers that were not asked for, for a reason
        pending: answers that are still to come
    """

    asked: int = 0
    scored: int = 0
    empty: int = 0
    as_zero: int = 0
    left_out: int = 0
    incomplete: int = 0
    excluded: int = 0
    pending: int = 0

    def __post_init__(self) -> None:
        parts = self.scored + self.as_zero + self.left_out + self.incomplete + self.excluded + self.pending
        if parts != self.asked or self.empty > self.scored:
            raise ValueError(f"the parts of these answers do not add up: {self}")

    @property
    def in_number(self) -> int:
        return self.scored + self.as_zero

    @property
    def is_plain(self) -> bool:
        """True if every answer is scored, and none is empty."""
        return self.scored == self.asked and not self.empty

    def __str__(self) -> str:
        """
        >>> str(AnswerCounts(asked=24, scored=19, empty=8, as_zero=5))
        '24 asked = 19 scored (8 of them unparsable or empty) + 5 counted as 0 + 0 incomplete + 0 excluded'
        """
        of_them = f" ({self.empty:,} of them unparsable or empty)"
        parts = [f"{self.scored:,} scored{of_them}"]
        failed = [(self.as_zero, "counted as 0"), (self.left_out, "left out")]
        parts += [f"{many:,} {what}" for many, what in failed if many] or ["0 counted as 0 or left out"]
        parts += [f"{self.incomplete:,} incomplete", f"{self.excluded:,} excluded"]
        parts += [f"{self.pending:,} pending"] if self.pending else []
        return f"{self.asked:,} asked = {' + '.join(parts)}"


def added(counts: Iterable[AnswerCounts]) -> AnswerCounts:
    """The counts of several numbers together."""
    every = list(counts)
    return AnswerCounts(**{each.name: sum(getattr(one, each.name) for one in every) for each in fields(AnswerCounts)})
