"""Calibration of a model's confidence: expected calibration error over ten bins with exact edges."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.errors import BadInput
from core.estimate import Estimate, undefined
from core.labels import LabelSet
from core.words import quoted

BINS = 10

Number = int | float | Fraction

_ONE = Fraction(1_000_001, 1_000_000)  # and what rounding of probabilities can add to it


@dataclass(frozen=True, slots=True)
class RatedAnswer:
    """One question with the model's probabilities: by label, None without log-probabilities. `name`: for a list."""

    answer: str
    probabilities: Mapping[str, Number] | None
    name: Hashable = None


@dataclass(frozen=True, slots=True)
class RowConfidence:
    answer: str
    predicted: str  # the most probable label
    confidence: float  # its share among the options, 0–1
    bin: int  # number of its bin, from the exact share
    absent: tuple[str, ...]  # options outside the returned top; they count 0

    @property
    def is_right(self) -> bool:
        return self.predicted == self.answer


@dataclass(frozen=True, slots=True)
class Bin:
    """Rows with `low` < confidence ≤ `high` (the first bin includes 0): their share right and mean confidence, both
    0–1."""

    low: float
    high: float
    n: int
    accuracy: Estimate
    confidence: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    ece: Estimate  # 0–1, over `ece.n` rows
    per_gold: Mapping[str, Estimate]  # by true label
    per_predicted: Mapping[str, Estimate]  # by the most probable label
    bins: tuple[Bin, ...]
    excluded: tuple[Hashable, ...]  # names of rows without probabilities
    outside_top: int  # rows that lack an option
    over_one: int  # rows whose probabilities added up to more than 1 before normalisation


def calibrate(rows: Sequence[RatedAnswer], labels: LabelSet) -> Calibration:
    """Return expected calibration error: Σ over bins of (rows in it / rows) x |share right − mean confidence|.

    Ten bins of equal width, closed on the right. Confidence is the largest probability after dividing by the sum over
    the options; ties go to the first in the set's order. Numbers are read as the decimals that name them, so that 0.7
    of 1 is on an edge, not next to it. Guo et al. 2017, section 2; EconCausal, section 4.4, whose per-option figure can
    be read by true and by predicted label: both are given. A row without probabilities, or with all of them 0, is left
    out and listed.

    Raises BadInput for a label or an answer outside the set, and a probability that is not a number from 0 to 1.

    >>> from core.labels import SIGN
    >>> sure = {"+": 0.9, "-": 0.1}
    >>> calibrate([RatedAnswer("+", sure), RatedAnswer("-", sure)], SIGN).ece.value
    0.4
    """
    every, over_one = confidences(rows, labels)
    named = [number if row.name is None else row.name for number, row in enumerate(rows, 1)]
    excluded = [name for name, each in zip(named, every, strict=True) if each is None]
    scored_rows = [each for each in every if each is not None]
    per_gold = {
        label: expected_error([each for each in scored_rows if each.answer == label], f"no true label is {label}")
        for label in labels.classes
    }
    per_predicted = {
        label: expected_error([each for each in scored_rows if each.predicted == label], f"no answer is {label}")
        for label in labels.classes
    }
    outside = sum(bool(each.absent) for each in scored_rows)
    return Calibration(
        ece=expected_error(scored_rows),
        per_gold=per_gold,
        per_predicted=per_predicted,
        bins=reliability(scored_rows),
        excluded=tuple(excluded),
        outside_top=outside,
        over_one=over_one,
    )


def confidences(rows: Sequence[RatedAnswer], labels: LabelSet) -> tuple[list[RowConfidence | None], int]:
    """Return the scored rows, None without probabilities or with all of them 0; and the number of rows that add up to
    more than 1. Raises BadInput as `calibrate` does."""
    confidences: list[RowConfidence | None] = []
    over_one = 0
    for number, row in enumerate(rows, 1):
        options = _options(row, labels, number)
        total = sum(options.values())
        over_one += total > _ONE
        if not total:
            confidences.append(None)
            continue
        predicted = max(labels.classes, key=lambda label: options.get(label, 0))
        absent = tuple(label for label in labels.classes if label not in options)
        share = options[predicted] / total
        confidences.append(RowConfidence(row.answer, predicted, float(share), bin_of(share), absent))
    return confidences, over_one


def reliability(rows: Iterable[RowConfidence]) -> tuple[Bin, ...]:
    """Return all ten bins, empty ones too, for the reliability diagram."""
    inside: list[list[RowConfidence]] = [[] for _ in range(BINS)]
    for row in rows:
        inside[row.bin].append(row)
    empty = undefined("no confidence lies in this bin", 0)
    bins = []
    for number, group in enumerate(inside):
        accuracy = confidence = empty
        if group:
            n = len(group)
            accuracy = Estimate(sum(row.is_right for row in group) / n, n=n)
            confidence = Estimate(math.fsum(row.confidence for row in group) / n, n=n)
        bins.append(Bin(number / BINS, (number + 1) / BINS, len(group), accuracy, confidence))
    return tuple(bins)


def bin_of(confidence: Fraction) -> int:
    """Return the number of its bin, 0 to 9: the lowest whose upper edge is not below it.

    >>> [bin_of(Fraction(n, 100)) for n in (0, 10, 11, 30, 70, 71, 100)]
    [0, 0, 1, 2, 6, 7, 9]
    """
    return max(0, math.ceil(confidence * BINS) - 1)


def option_probabilities(
    tokens: Iterable[tuple[str, float]], spellings: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Return probabilities of options from the first token's alternatives (token, log-probability).

    An option's probability is the sum over its `spellings` (option → first tokens), compared in any case and without
    the white space and quotation marks around a token; other tokens belong to no option, and an option without a token
    is absent. Raises BadInput for a spelling of two options, and a log-probability above 0 or not a number.

    >>> found = option_probabilities([(" +", -0.5), ("+", -2.0), ("The", -3.0)], FIRST_TOKENS)
    >>> {option: round(p, 4) for option, p in found.items()}
    {'+': 0.7419}
    """
    options: dict[str, str] = {}
    for option, words in spellings.items():
        for word in words:
            if options.setdefault(_bare(word), option) != option:
                raise BadInput(f"The first token {quoted(word)} is given for {options[_bare(word)]} and for {option}.")
    probabilities: dict[str, float] = {}
    for token, log_probability in tokens:
        if not log_probability <= 0:
            raise BadInput(f"Token {quoted(token)}: found {log_probability}; a log-probability is at most 0.")
        named = options.get(_bare(token))
        if named is not None:
            probabilities[named] = probabilities.get(named, 0.0) + math.exp(log_probability)
    return probabilities


# First tokens of an answer of four signs. Tokens that could begin two of them (n, neg, m) belong to none.
FIRST_TOKENS: Mapping[str, Sequence[str]] = {
    "+": ("+", "positive"),
    "-": ("-", "\N{MINUS SIGN}", "negative"),
    "None": ("None", "null", "no"),
    "mixed": ("mixed", "mix"),
}


def _bare(token: str) -> str:
    return token.strip(" \t\r\n\"'`").lower()


def _options(row: RatedAnswer, labels: LabelSet, number: int) -> dict[str, Fraction]:
    """Return probabilities by label, spellings of one added; empty where the model gave none."""
    if row.answer not in labels.classes:
        raise BadInput(f"Row {number}: the answer {quoted(row.answer)} is not one of {', '.join(labels.classes)}.")
    options: dict[str, Fraction] = {}
    for option, probability in (row.probabilities or {}).items():
        label = labels.parse(option)
        if label not in labels.classes:
            raise BadInput(f"Row {number}: {quoted(option)} is not an option; choose from {', '.join(labels.classes)}.")
        options[label] = options.get(label, Fraction(0)) + _exact(probability, f"Row {number}, {option}")
    return options


def _exact(probability: Number, where: str) -> Fraction:
    is_number = isinstance(probability, int | float | Fraction) and not isinstance(probability, bool)
    if not is_number or not 0 <= probability <= 1:
        raise BadInput(f"{where}: found {probability!r}; a probability is a number from 0 to 1.")
    return Fraction(repr(probability)) if isinstance(probability, float) else Fraction(probability)


def expected_error(rows: Sequence[RowConfidence], why_none: str = "no answer comes with probabilities") -> Estimate:
    """Return the error over rows that have probabilities; `why_none` is the reason where there are none."""
    if not rows:
        return undefined(why_none, 0)
    n = len(rows)
    gaps = (
        each.n / n * abs((each.accuracy.value or 0.0) - (each.confidence.value or 0.0)) for each in reliability(rows)
    )
    return Estimate(math.fsum(gaps), n=n)
