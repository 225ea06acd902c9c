"""A triplet as imported and stored: with its paper, its critics' scores and every other cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.sign import Sign
from core.triplets.criteria import Criterion


@dataclass(frozen=True, slots=True)
class CriticScore:
    """One critic's score of one criterion, 0-3, with the reason."""

    critic: str
    criterion: Criterion
    score: int
    reason: str = ""
    is_synthetic: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRecord:
    """A paper as its first row describes it."""

    external_id: str  # the file's paper_id as text
    title: str = ""
    author: str = ""
    year: int | None = None
    venue: str = ""  # as spelled there
    domain: str = ""
    jel_codes: str | None = None  # as text as given, None if missing
    jel_letters: tuple[str, ...] = ()
    url: str = ""
    abstract: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TripletRecord:
    """One triplet of a file. `place`: its number, from 1; `methods` is None where the cell is missing."""

    place: int
    paper: PaperRecord
    treatment: str
    outcome: str
    sign: Sign
    context: str = ""
    methods: tuple[str, ...] | None = None
    evidence: tuple[str, ...] = ()
    critics: tuple[CriticScore, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
