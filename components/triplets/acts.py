"""What the scoring desk sends, read into typed values. It comes from a browser and may be forged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from components.desk.outbox import Act
from core.errors import BadInput

LONGEST_TEXT = 2_000
HIGHEST = 9
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Score:
    """A score of one criterion, or None to take it back."""

    criterion: str
    value: int | None


@dataclass(frozen=True, slots=True)
class Comment:
    text: str


@dataclass(frozen=True, slots=True)
class Skip:
    reason: str


@dataclass(frozen=True, slots=True)
class Submit:
    """All scores handed in."""


ScoringAct = Score | Comment | Skip | Submit


def read_scoring_act(act: Act) -> ScoringAct:
    """One act of the desk as a typed value. Raises BadInput for an unknown kind or a wrong shape."""
    reader = _READERS.get(act.kind)
    if reader is None:
        raise BadInput(f"The desk sent an act that this version does not know: {act.kind}. Reload the page.")
    return reader(act.data)


Data = Mapping[str, Any]


def _score(data: Data) -> Score:
    criterion, value = _text(data, "criterion"), data.get("value")
    if not 0 < len(criterion) <= _LONGEST_NAME:
        raise _bad("a score without a criterion")
    if value is not None and (type(value) is not int or not 0 <= value <= HIGHEST):
        raise _bad("a score that is not a small whole number")
    return Score(criterion, value)


_READERS: Mapping[str, Callable[[Data], ScoringAct]] = {
    "score": _score,
    "comment": lambda data: Comment(_short(data, "text", "comment")),
    "skip": lambda data: Skip(_short(data, "reason", "reason")),
    "submit": lambda _data: Submit(),
}


def _short(data: Data, field: str, what: str) -> str:
    text = _text(data, field)
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"The {what} has {len(text):,} characters; at most {LONGEST_TEXT:,} are kept. Shorten it.")
    return text


def _text(data: Data, field: str) -> str:
    value = data.get(field)
    if not isinstance(value, str):
        raise _bad(f"{field} is not a text")
    return value


def _bad(why: str) -> BadInput:
    return BadInput(f"The desk sent an act that cannot be read: {why}. Reload the page; nothing was changed.")
