"""Filters and order of the list of samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class SampleFilter(StrEnum):
    ANY = ""
    FAILED = "failed"  # no model has any answer right
    DOUBTFUL = "doubtful"  # the true label is likely an error
    FLAGGED = "flagged"  # people flagged it as bad
    SPLIT = "split"  # models gave different labels


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleFilters:
    """`limits`: column → the least and the largest value, each None without a limit; a sample without the value is left
    out. `order`: a column of `core.analysis.sample_lines.COLUMNS`; samples without a value come last. `search`: every
    word is in one of the facts that lists of the protocol search, or begins the key."""

    only: SampleFilter = SampleFilter.ANY
    limits: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    order: str = ""
    is_descending: bool = False
    search: str = ""
