"""Acts of the verdict desk as typed values. They come from a browser and may be forged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from components.desk.act_fields import Data, read_act, text, truth, unreadable
from components.desk.posting.acts import Act
from core.errors import BadInput

LONGEST_TEXT = 2_000
_LONGEST_NAME = 60
_HIGHEST = 100_000


@dataclass(frozen=True, slots=True)
class SetLabel:
    """A label of one field of an item; None clears it."""

    number: int
    block: str
    field: str
    label: str | None


@dataclass(frozen=True, slots=True)
class Compare:
    number: int


@dataclass(frozen=True, slots=True)
class KeepOwn:
    """The user's own labels as an override of the judge's."""

    number: int
    reason: str
    note: str
    seen_review: int  # the version of the verdict after review that the user saw


@dataclass(frozen=True, slots=True)
class Settle:
    """A concession to the judge (`is_conceded`), or a ruling that both can be defended."""

    number: int
    is_conceded: bool
    seen_review: int


@dataclass(frozen=True, slots=True)
class FlagItem:
    number: int
    note: str


@dataclass(frozen=True, slots=True)
class UndoVerdictRuling:
    number: int


@dataclass(frozen=True, slots=True)
class Counterpart:
    """Two nodes that are one, or no longer, by their numbers."""

    truth: int
    answer: int
    is_one: bool


@dataclass(frozen=True, slots=True)
class SubmitSheet:
    """Submission of the sheet."""


@dataclass(frozen=True, slots=True)
class SkipItem:
    reason: str


VerdictAct = SetLabel | Compare | KeepOwn | Settle | FlagItem | UndoVerdictRuling | Counterpart | SubmitSheet | SkipItem


def read_verdict_act(act: Act) -> VerdictAct:
    """Return one act of the desk as a typed value. Raises BadInput for an unknown kind or a wrong shape."""
    return read_act(act, _READERS)


def _number(data: Data, field: str = "number") -> int:
    value = data.get(field)
    if type(value) is not int or not 0 <= value <= _HIGHEST:
        raise unreadable(f"{field} is not a number of an item")
    return value


def _label(data: Data) -> SetLabel:
    block, field = _name(data, "block"), _name(data, "field")
    label = data.get("label")
    if label is not None and (not isinstance(label, str) or not 0 < len(label) <= _LONGEST_NAME):
        raise unreadable("a label is not a short text")
    return SetLabel(_number(data), block, field, label)


def _name(data: Data, field: str) -> str:
    value = text(data, field)
    if not 0 < len(value) <= _LONGEST_NAME:
        raise unreadable(f"{field} is not a short text")
    return value


def _short(data: Data, field: str) -> str:
    typed = text(data, field)
    if len(typed) > LONGEST_TEXT:
        raise BadInput(f"The reason has {len(typed):,} characters; at most {LONGEST_TEXT:,} are allowed. Shorten it.")
    return typed


_READERS: Mapping[str, Callable[[Data], VerdictAct]] = {
    "label": _label,
    "compare": lambda data: Compare(_number(data)),
    "keep": lambda data: KeepOwn(
        _number(data), _short(data, "reason"), _short(data, "note"), _number(data, "seen_review")
    ),
    "concede": lambda data: Settle(_number(data), True, _number(data, "seen_review")),
    "both": lambda data: Settle(_number(data), False, _number(data, "seen_review")),
    "flag": lambda data: FlagItem(_number(data), _short(data, "note")),
    "take_back": lambda data: UndoVerdictRuling(_number(data)),
    "counterpart": lambda data: Counterpart(_number(data, "truth"), _number(data, "answer"), truth(data, "is_one")),
    "submit": lambda _data: SubmitSheet(),
    "skip": lambda data: SkipItem(_short(data, "reason")),
}
