"""Acts of the adjudicator's desk as typed values. They come from a browser and may be forged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from components.desk.act_fields import Data, read_act, sign, text, truth, unreadable
from components.desk.posting.acts import Act
from core.adjudication.differences import Choice, Reason
from core.errors import BadInput
from core.graphs.alignment import NameClass
from core.sign import Sign

LONGEST_COMMENT = 5_000
_LONGEST_KEY = 2_000


@dataclass(frozen=True, slots=True)
class RulingReason:
    """Reasons, comment and gap that an adjudicator adds to a ruling."""

    reasons: tuple[Reason, ...]
    comment: str
    is_gap: bool


@dataclass(frozen=True, slots=True)
class RuleAct:
    """A choice about the difference `key`."""

    key: str
    choice: Choice
    why: RulingReason


@dataclass(frozen=True, slots=True)
class RuleName:
    """A choice about B's `name` and A's `reference` (None: a variable of its own)."""

    name: str
    choice: Choice
    reference: str | None
    name_class: NameClass | None
    wording: str
    why: RulingReason


@dataclass(frozen=True, slots=True)
class Note:
    """Reasons, comment and gap of an existing ruling."""

    key: str
    why: RulingReason


@dataclass(frozen=True, slots=True)
class SetArrow:
    """An edge that the adjudicator sets, or removes (`is_there` false), by the names of the ground truth."""

    source: str
    sink: str
    is_there: bool
    sign: Sign | None
    delay: bool
    why: RulingReason


@dataclass(frozen=True, slots=True)
class WithdrawRuling:
    key: str


@dataclass(frozen=True, slots=True)
class UndoRuling:
    """Undo of the last ruling."""


@dataclass(frozen=True, slots=True)
class RedoRuling:
    """Redo of the ruling undone last."""


RulingAct = RuleAct | RuleName | Note | SetArrow | WithdrawRuling | UndoRuling | RedoRuling


def read_ruling_act(act: Act) -> RulingAct:
    """Return one act of the desk as a typed value. Raises BadInput for an unknown kind or a wrong shape."""
    return read_act(act, _READERS)


def _rule_name(data: Data) -> RuleName:
    reference, kind = data.get("reference"), data.get("name_class")
    return RuleName(
        text(data, "name"),
        _one_of(Choice, data.get("choice"), "choice"),
        None if reference is None else text(data, "reference"),
        None if kind is None else _one_of(NameClass, kind, "class of names"),
        text(data, "wording"),
        _why(data),
    )


def _set_arrow(data: Data) -> SetArrow:
    is_there, delay = truth(data, "is_there"), truth(data, "delay")
    return SetArrow(text(data, "source"), text(data, "sink"), is_there, sign(data, "sign"), delay, _why(data))


_READERS: Mapping[str, Callable[[Data], RulingAct]] = {
    "rule": lambda data: RuleAct(_key(data), _one_of(Choice, data.get("choice"), "choice"), _why(data)),
    "rule_name": _rule_name,
    "note": lambda data: Note(_key(data), _why(data)),
    "set_arrow": _set_arrow,
    "take_back": lambda data: WithdrawRuling(_key(data)),
    "undo": lambda _data: UndoRuling(),
    "redo": lambda _data: RedoRuling(),
}


def _why(data: Data) -> RulingReason:
    reasons = data.get("reasons")
    if not isinstance(reasons, list) or len(reasons) > len(Reason):
        raise unreadable("the reasons are not a short list")
    reasons_given = tuple(dict.fromkeys(_one_of(Reason, reason, "reason") for reason in reasons))
    comment = text(data, "comment")
    if len(comment) > LONGEST_COMMENT:
        raise BadInput(
            f"The comment has {len(comment):,} characters; at most {LONGEST_COMMENT:,} are allowed. Shorten it."
        )
    return RulingReason(reasons_given, comment, truth(data, "is_gap"))


Word = TypeVar("Word", bound=StrEnum)


def _one_of(words: type[Word], value: object, what: str) -> Word:
    if not isinstance(value, str) or value not in {word.value for word in words}:
        raise unreadable(f"an unknown {what}")
    return words(value)


def _key(data: Data) -> str:
    key = text(data, "key")
    if not 0 < len(key) <= _LONGEST_KEY:
        raise unreadable("a difference without a key")
    return key
