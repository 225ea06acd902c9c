"""Critics' scores in triplet files: nested in a row, or one row per score. Nested, in a column `critics`: {critic:
{criterion: {"score": 0-3, "reason": text}}}; a bare number is a score without a reason, and null a missing one.
Long: columns critic, criterion, score, reason in addition to those of the triplet, one row per score; rows that are
equal except for these four are one triplet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.triplets.criteria import HIGHEST, Criterion
from core.triplets.record import CriticScore
from exchange.triplet_cells import LONG, SYNTHETIC
from exchange.triplet_rows import Row

REASON = "reason"
LONG_COLUMNS = (*LONG, REASON)
NESTED = '{critic: {criterion: {"score": 0 to 3, "reason": text}}}'


class CriticFault(ValueError):
    """A fault in a row's scores: `heading` and value; the message says what is expected."""

    def __init__(self, heading: str, value: object, expected: str) -> None:
        super().__init__(expected)
        self.heading = heading
        self.value = value


def critics_in(value: Any, heading: str, *, is_synthetic: bool) -> tuple[CriticScore, ...]:
    """Return the scores of a nested cell; none for a missing one. Raises CriticFault."""
    if value is None:
        return ()
    if not isinstance(value, dict):
        raise CriticFault(heading, value, NESTED)
    return tuple(_nested(value, heading, is_synthetic))


def _nested(value: Mapping[str, Any], heading: str, is_synthetic: bool) -> Iterator[CriticScore]:
    for critic, cells in value.items():
        if not critic.strip() or not isinstance(cells, dict):
            raise CriticFault(heading, {critic: cells}, NESTED)
        for criterion, cell in cells.items():
            known = _criterion(heading, criterion)
            score, reason = (cell.get("score"), cell.get(REASON)) if isinstance(cell, dict) else (cell, None)
            if score is None:
                continue
            if reason is not None and not isinstance(reason, str):
                raise CriticFault(heading, reason, f"{critic}, {criterion}: the reason is a text")
            yield CriticScore(
                critic, known, _score(heading, score, f"{critic}, {criterion}"), reason or "", is_synthetic
            )


def _criterion(heading: str, name: object) -> Criterion:
    try:
        return Criterion(str(name).strip())
    except ValueError:
        raise CriticFault(heading, name, f"one of the criteria {', '.join(Criterion)}") from None


def _score(heading: str, score: object, whose: str) -> int:
    if isinstance(score, int | float) and not isinstance(score, bool) and score in range(HIGHEST + 1):
        return int(score)
    raise CriticFault(heading, score, f"{whose}: a whole number from 0 to {HIGHEST}")


def is_long(columns: Iterable[str]) -> bool:
    present = {heading.strip().casefold() for heading in columns}
    return set(LONG) <= present and "critics" not in present


def score_of_row(row: Row, *, is_synthetic: bool) -> CriticScore | None:
    """Return the score of a long row; None for a row without one, which is a triplet without scores. Raises
    CriticFault."""
    critic, criterion, score, reason = (row.get(heading) for heading in LONG_COLUMNS)
    if critic is None and criterion is None and score is None:
        return None
    if not isinstance(critic, str) or not critic.strip():
        raise CriticFault("critic", critic, "the name of a critic")
    known = _criterion("criterion", criterion)
    if reason is not None and not isinstance(reason, str):
        raise CriticFault(REASON, reason, "a text")
    return CriticScore(critic, known, _score("score", score, f"{critic}, {criterion}"), reason or "", is_synthetic)


def key_of_row(row: Row) -> str:
    """Return a key that is equal for the rows of one triplet in a long file."""
    return json.dumps({name: value for name, value in row.items() if name not in LONG_COLUMNS}, sort_keys=True)


def without_score(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in LONG_COLUMNS}


def long_rows(row: Row, scores: Sequence[CriticScore]) -> Iterator[Row]:
    """Yield a triplet's row once per score, critics by name and criteria in the rubric's order."""
    order = list(Criterion)
    for each in sorted(scores, key=lambda score: (score.critic, order.index(score.criterion))):
        yield row | {
            "critic": each.critic,
            "criterion": each.criterion.value,
            "score": each.score,
            REASON: each.reason or None,
        }
    if not scores:
        yield row | dict.fromkeys(LONG_COLUMNS)


def is_made_up(row: Row) -> bool:
    """Return the row's value of `is_synthetic`. Raises CriticFault for anything but true, false or nothing."""
    value = row.get(SYNTHETIC)
    known = {None: False, True: True, False: False, "true": True, "false": False}
    answer = None
    if value is None or isinstance(value, bool | str):
        answer = known.get(value.strip().lower() if isinstance(value, str) else value)
    if answer is None:
        raise CriticFault(SYNTHETIC, value, "true or false")
    return answer
