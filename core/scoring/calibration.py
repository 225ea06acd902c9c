"""Calibration of a model's confidence: expected calibration error over ten bins with exact edges."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.estimate import Estimate, undefined
from core.labels import LabelSet
from core.words import quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
class Confidences:
    """Answers with probabilities, by row.

    Attributes:
        answers: number of the true label among the labels
        predicted: number of the most probable label, the first of several
        confidence: its share among the options, 0–1
        bins: number of its bin
        is_partial: whether an option is outside the returned top; it counts 0
        over_one: number of rows whose probabilities add up to more than 1
    """

    answers: NDArray[np.intp]
    predicted: NDArray[np.intp]
    confidence: NDArray[np.float64]
    bins: NDArray[np.intp]
    is_partial: NDArray[np.bool_]
    over_one: int

    @property
    def right(self) -> NDArray[np.bool_]:
        right: NDArray[np.bool_] = self.predicted == self.answers
        return right


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
    import numpy as np

    exact = [_options(row, labels, number) for number, row in enumerate(rows, 1)]
    totals = [sum(options.values()) for options in exact]
    names = [number if row.name is None else row.name for number, row in enumerate(rows, 1)]
    inside = [number for number, total in enumerate(totals) if total]
    best = [max(labels.classes, key=lambda label: exact[number].get(label, 0)) for number in inside]
    shares = [exact[number][label] / totals[number] for number, label in zip(inside, best, strict=True)]
    place = {label: number for number, label in enumerate(labels.classes)}
    rated = Confidences(
        answers=np.array([place[rows[number].answer] for number in inside], dtype=np.intp),
        predicted=np.array([place[label] for label in best], dtype=np.intp),
        confidence=np.array([float(share) for share in shares], dtype=np.float64),
        bins=np.array([bin_of(share) for share in shares], dtype=np.intp),
        is_partial=np.array([len(exact[number]) < len(labels.classes) for number in inside], dtype=bool),
        over_one=sum(total > _ONE for total in totals),
    )
    return calibration_of(rated, labels, [name for name, total in zip(names, totals, strict=True) if not total])


def confidences(answers: Sequence[str], probabilities: NDArray[np.float64], labels: LabelSet) -> Confidences:
    """Return the confidences of many rows at once. `probabilities`: rows x labels, NaN for an option outside the top;
    in each row one is above 0. As in `calibrate`, but that a share may differ from the exact one by rounding; on an
    edge of a bin it is computed exactly."""
    import numpy as np

    filled = np.nan_to_num(probabilities)
    predicted = filled.argmax(axis=1)
    confidence = filled.max(axis=1) / filled.sum(axis=1)
    tenths = confidence * BINS
    bins = np.maximum(0, np.ceil(tenths) - 1).astype(np.intp)
    for row in np.flatnonzero(np.abs(tenths - np.rint(tenths)) < 1e-9).tolist():
        values = [Fraction(repr(value)) for value in filled[row].tolist()]
        bins[row] = bin_of(max(values) / sum(values))
    place = {label: number for number, label in enumerate(labels.classes)}
    return Confidences(
        answers=np.array([place[answer] for answer in answers], dtype=np.intp),
        predicted=predicted,
        confidence=confidence,
        bins=bins,
        is_partial=np.any(np.isnan(probabilities), axis=1),
        over_one=int((filled.sum(axis=1) > float(_ONE)).sum()),
    )


def calibration_of(rated: Confidences, labels: LabelSet, excluded: Sequence[Hashable] = ()) -> Calibration:
    """Return the calibration of answers. `excluded`: names of those without probabilities."""

    def by_label(of_rows: NDArray[np.intp], why_none: str) -> dict[str, Estimate]:
        return {
            label: expected_error(rated, of_rows == number, why_none.format(label))
            for number, label in enumerate(labels.classes)
        }

    return Calibration(
        ece=expected_error(rated),
        per_gold=by_label(rated.answers, "no true label is {}"),
        per_predicted=by_label(rated.predicted, "no answer is {}"),
        bins=reliability(rated),
        excluded=tuple(excluded),
        outside_top=int(rated.is_partial.sum()),
        over_one=rated.over_one,
    )


def reliability(rated: Confidences, inside: NDArray[np.bool_] | None = None) -> tuple[Bin, ...]:
    """Return all ten bins, empty ones too, for the reliability diagram; `inside`: of these rows only."""
    empty = undefined("no confidence lies in this bin", 0)
    bins = []
    for number in range(BINS):
        rows = rated.bins == number if inside is None else (rated.bins == number) & inside
        n = int(rows.sum())
        accuracy = confidence = empty
        if n:
            accuracy = Estimate(int(rated.right[rows].sum()) / n, n=n)
            confidence = Estimate(math.fsum(rated.confidence[rows].tolist()) / n, n=n)
        bins.append(Bin(number / BINS, (number + 1) / BINS, n, accuracy, confidence))
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


def expected_error(
    rated: Confidences, inside: NDArray[np.bool_] | None = None, why_none: str = "no answer comes with probabilities"
) -> Estimate:
    """Return the error over rows; `why_none` is the reason where there are none."""
    bins = reliability(rated, inside)
    n = sum(each.n for each in bins)
    if not n:
        return undefined(why_none, 0)
    gaps = (each.n / n * abs((each.accuracy.value or 0.0) - (each.confidence.value or 0.0)) for each in bins)
    return Estimate(math.fsum(gaps), n=n)
