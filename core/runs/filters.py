"""Which items of runs are looked at: the filters of lists, and the sides of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.runs.states import ItemStatus


class Only(StrEnum):
    """RIGHT: the true label. WRONG: another label, or an answer that is none. UNANSWERED: nothing that is scored: cut
    off, declined, failed, left out, or not asked yet."""

    ANY = ""
    RIGHT = "right"
    WRONG = "wrong"
    UNANSWERED = "unanswered"


class Order(StrEnum):
    """RUN: the newest run first, then as its samples stand. HARDEST: samples first of which the smallest share of
    their run's scored answers, of every model and baseline, is right; last those without any. LOWEST: the lowest score
    first, of answers that can be right in part; last those without one."""

    RUN = ""
    HARDEST = "hardest"
    LOWEST = "lowest"


class ComparedOutcome(StrEnum):
    """Which samples of two sides. FIRST: right on the first side only, or with the higher score there; SECOND: the same
    of the second; EQUAL: both have the same score; DIFFER: right on one side only, or two labels that are both wrong
    and not the same; UNANSWERED: the answer of a side is not right or wrong and has no score."""

    ANY = ""
    FIRST = "first"
    SECOND = "second"
    DIFFER = "differ"
    BOTH_RIGHT = "both_right"
    BOTH_WRONG = "both_wrong"
    EQUAL = "equal"
    UNANSWERED = "unanswered"


YEAR = "year"
"""The label of a sample that `FailureFilters.years` asks; its values have four digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFacts:
    """What lists know of a protocol's samples. `filters`: labels of their faces that lists can be filtered by, name →
    its words on the screen; `searched`: facts that a search looks into, and `search_words` how they are called
    together; `shown`: facts that stand beside one answer, name → heading; `is_right_or_wrong`: whether an answer can
    be; else it has a score at most; `scores`: what the score of an answer is, by task."""

    filters: Mapping[str, str]
    searched: tuple[str, ...]
    search_words: str
    shown: Mapping[str, str] = field(default_factory=dict)
    is_right_or_wrong: bool = True
    scores: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureFilters:
    """Which items are listed, and in which order; an empty field lets everything through. `runs` are ids; `search`:
    every word stands in one of the facts of a sample that its protocol names, in any case, or begins the key; `years`:
    from and to, both included; `labels`: (label of a sample, values), of which it has one, as rows of tables name them;
    an empty value is that of a sample without any.
    """

    runs: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    statuses: tuple[ItemStatus, ...] = ()
    expected: tuple[str, ...] = ()
    predicted: tuple[str, ...] = ()
    labels: tuple[tuple[str, tuple[str, ...]], ...] = ()
    years: tuple[int, int] | None = None
    only: Only = Only.ANY
    search: str = ""
    order: Order = Order.RUN


@dataclass(frozen=True, slots=True)
class Side:
    """One model of one run, as one side of a comparison; `repeat` is which time it was asked, from 0."""

    run_id: str
    model: str
    repeat: int = 0
