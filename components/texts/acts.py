"""Acts of the text desk as typed values. They come from a browser and may be forged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from components.desk.act_fields import Data, identifier, read_act, text, unreadable
from components.desk.posting.acts import Act
from core.errors import BadInput

LONGEST_REPLACEMENT = 20_000


@dataclass(frozen=True, slots=True)
class RejectChange:
    """A rejected change: its original words apply again."""

    text_id: str
    number: int


@dataclass(frozen=True, slots=True)
class RestoreChange:
    """A rejected change that is restored."""

    text_id: str
    number: int


@dataclass(frozen=True, slots=True)
class ReplaceStretch:
    """Replacement of a stretch of the last stage's text, `end` excluded, with the words seen there."""

    text_id: str
    start: int
    end: int
    was: str
    replacement: str


@dataclass(frozen=True, slots=True)
class MakeReady:
    """Release of the text as it is for reading by models."""


@dataclass(frozen=True, slots=True)
class UndoChange:
    """Undo of the last change of the text."""


@dataclass(frozen=True, slots=True)
class RedoChange:
    """Redo of the change undone last."""


TextAct = RejectChange | RestoreChange | ReplaceStretch | MakeReady | UndoChange | RedoChange


def read_text_act(act: Act) -> TextAct:
    """Return one act of the desk as a typed value. Raises BadInput for an unknown kind or a wrong shape."""
    return read_act(act, _READERS)


def _replace(data: Data) -> ReplaceStretch:
    replacement = text(data, "replacement")
    if len(replacement) > LONGEST_REPLACEMENT:
        raise BadInput(
            f"The replacement has {len(replacement):,} characters; at most {LONGEST_REPLACEMENT:,} are allowed."
        )
    return ReplaceStretch(
        identifier(data.get("text")), _whole(data, "start"), _whole(data, "end"), text(data, "was"), replacement
    )


_READERS: Mapping[str, Callable[[Data], TextAct]] = {
    "reject_change": lambda data: RejectChange(identifier(data.get("text")), _whole(data, "number")),
    "restore_change": lambda data: RestoreChange(identifier(data.get("text")), _whole(data, "number")),
    "replace_stretch": _replace,
    "ready": lambda _data: MakeReady(),
    "undo": lambda _data: UndoChange(),
    "redo": lambda _data: RedoChange(),
}


def _whole(data: Data, field: str) -> int:
    value = data.get(field)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**31:
        raise unreadable(f"{field} is not a whole number")
    return value
