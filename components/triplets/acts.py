"""Acts of the scoring desk as typed values. They come from a browser and may be forged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from components.desk.act_fields import Data, read_act, text, unreadable
from components.desk.posting.acts import Act
from core.errors import BadInput

LONGEST_TEXT = 2_000
HIGHEST = 9
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class ScoreTriplet:
    """A score of one criterion; None clears it."""

    criterion: str
    value: int | None


@dataclass(frozen=True, slots=True)
class Comment:
    text: str


@dataclass(frozen=True, slots=True)
class SkipTriplet:
    reason: str


@dataclass(frozen=True, slots=True)
class SubmitScores:
    """Submission of all scores."""


ScoringAct = ScoreTriplet | Comment | SkipTriplet | SubmitScores


def read_scoring_act(act: Act) -> ScoringAct:
    """Return one act of the desk as a typed value. Raises BadInput for an unknown kind or a wrong shape."""
    return read_act(act, _READERS)


def _score(data: Data) -> ScoreTriplet:
    criterion, value = text(data, "criterion"), data.get("value")
    if not 0 < len(criterion) <= _LONGEST_NAME:
        raise unreadable("a score without a criterion")
    if value is not None and (type(value) is not int or not 0 <= value <= HIGHEST):
        raise unreadable("a score that is not a small whole number")
    return ScoreTriplet(criterion, value)


_READERS: Mapping[str, Callable[[Data], ScoringAct]] = {
    "score": _score,
    "comment": lambda data: Comment(_short(data, "text", "comment")),
    "skip": lambda data: SkipTriplet(_short(data, "reason", "reason")),
    "submit": lambda _data: SubmitScores(),
}


def _short(data: Data, field: str, what: str) -> str:
    typed = text(data, field)
    if len(typed) > LONGEST_TEXT:
        raise BadInput(f"The {what} has {len(typed):,} characters; at most {LONGEST_TEXT:,} are allowed. Shorten it.")
    return typed
