"""Filters and order of lists of items, and the sides of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.runs.states import ItemStatus


class OutcomeFilter(StrEnum):
    ANY = ""
    RIGHT = "right"  # the true label
    WRONG = "wrong"  # another label, or an answer that is none
    UNANSWERED = "unanswered"  # nothing to score: truncated, refused, failed, excluded, or not asked yet


class ItemOrder(StrEnum):
    RUN = ""  # newest run first, then the order of its samples
    # samples first of which the smallest share of scored answers, of every model and baseline, is right; unscored last
    HARDEST = "hardest"
    LOWEST = "lowest"  # lowest score first, of answers that can be partly right; unscored last


class ComparedOutcome(StrEnum):
    """Filter of samples by the results of two sides."""

    ANY = ""
    FIRST = "first"  # right on the first side only, or with the higher score there
    SECOND = "second"  # the same for the second side
    DIFFER = "differ"  # right on one side only, or two different wrong labels
    BOTH_RIGHT = "both_right"
    BOTH_WRONG = "both_wrong"
    EQUAL = "equal"  # equal scores
    UNANSWERED = "unanswered"  # one side's answer is not right or wrong and has no score


YEAR = "year"  # the label of a sample that `FailureFilters.years` filters; its values have four digits


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFacts:
    """Facts of a protocol's samples that lists can filter, search and show."""

    filters: Mapping[str, str]  # label of the sample summary → its words on the screen
    searched: tuple[str, ...]  # facts that a search covers
    search_words: str  # their common name on the screen
    shown: Mapping[str, str] = field(default_factory=dict)  # facts shown next to one answer, name → heading
    is_right_or_wrong: bool = True  # else an answer has only a score
    label_words: Mapping[str, str] = field(default_factory=dict)  # label → its words in filters, if it is not plain
    scores: Mapping[str, str] = field(default_factory=dict)  # task → the meaning of its score


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureFilters:
    """Filter and order of listed items; an empty field matches everything."""

    runs: tuple[str, ...] = ()  # ids
    models: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    statuses: tuple[ItemStatus, ...] = ()
    expected: tuple[str, ...] = ()
    predicted: tuple[str, ...] = ()
    # (label of a sample, values), one of which it has, as named in tables; "" matches a sample without the label
    labels: tuple[tuple[str, tuple[str, ...]], ...] = ()
    years: tuple[int, int] | None = None  # from and to, both included
    only: OutcomeFilter = OutcomeFilter.ANY
    has_baselines: bool = True  # else without those of baselines, unless `models` names any or nothing else matches
    search: str = ""  # every word is in one of the facts that the protocol names, in any case, or begins the key
    replied: str = ""  # every word is in a reply or its reasoning, in any case
    order: ItemOrder = ItemOrder.RUN


@dataclass(frozen=True, slots=True)
class Side:
    """One model of one run, as one side of a comparison; `repeat` counts from 0."""

    run_id: str
    model: str
    repeat: int = 0
