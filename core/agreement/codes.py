"""Agreement of people who give answers any number of codes: over whole sets, and of each code as there or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.agreement.alpha import krippendorff_alpha
from core.agreement.level import MeasurementLevel
from core.agreement.ratings import Ratings, raw_agreement
from core.estimate import Estimate


class CodedAnswer(NamedTuple):
    """`choices`: the codes that its coders could give; `codings`: those that each of them gave, in any order."""

    choices: tuple[str, ...]
    codings: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class OfCode:
    """One code over the answers that it could be given to: how many have it by any coder and by all, and alpha."""

    code: str
    answers: int
    by_any: int
    by_all: int
    alpha: Estimate


@dataclass(frozen=True, slots=True)
class CodeAgreement:
    """`same`: share, 0–1, of answers whose coders gave the same codes; `alpha`: of whole sets, each a value of its own;
    `of_codes`: by the order of the codebook."""

    answers: int
    same: Estimate
    alpha: Estimate
    of_codes: tuple[OfCode, ...]


def code_agreement(coded: Sequence[CodedAnswer]) -> CodeAgreement:
    """Return the agreement of the coders of these answers: Krippendorff's alpha, nominal, of whole sets and of each
    code. Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability".

    >>> code_agreement([CodedAnswer(("a", "b"), [["a"], ["a", "b"]])] * 2 + [CodedAnswer(("a", "b"), [[], []])]).answers
    3
    """
    sets = _ratings([[", ".join(sorted(codes)) for codes in each.codings] for each in coded])
    names = dict.fromkeys(name for each in coded for name in each.choices)
    return CodeAgreement(
        len(coded),
        raw_agreement(sets),
        krippendorff_alpha(sets, MeasurementLevel.NOMINAL),
        tuple(_of_code(name, [each for each in coded if name in each.choices]) for name in names),
    )


def _of_code(name: str, coded: Sequence[CodedAnswer]) -> OfCode:
    table = [[int(name in codes) for codes in each.codings] for each in coded]
    alpha = krippendorff_alpha(_ratings(table), MeasurementLevel.NOMINAL)
    return OfCode(name, len(coded), sum(map(any, table)), sum(bool(row) and all(row) for row in table), alpha)


def _ratings(table: Sequence[Sequence[str | int]]) -> Ratings:
    width = max(map(len, table), default=0)
    return Ratings.of([[*row, *[None] * (width - len(row))] for row in table])
