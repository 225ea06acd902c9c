"""Acts of the labelling desk as typed values. They come from a browser and may be forged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from components.desk.act_fields import Data, read_act, text, unreadable
from components.desk.posting.acts import Act
from core.texts.explicitness import ExplicitnessLevel


@dataclass(frozen=True, slots=True)
class LabelNode:
    """Level of explicitness of a node in the text; None clears it."""

    node: str
    level: ExplicitnessLevel | None


@dataclass(frozen=True, slots=True)
class SubmitLevels:
    """Final submission of all levels of the text."""


LabelAct = LabelNode | SubmitLevels


def read_label_act(act: Act) -> LabelAct:
    """Return one act of the desk as a typed value. Raises BadInput for an unknown kind or a wrong shape."""
    return read_act(act, _READERS)


def _label(data: Data) -> LabelNode:
    level = data.get("level")
    if level is not None and (isinstance(level, bool) or level not in tuple(ExplicitnessLevel)):
        raise unreadable("a level is not 1, 2 or 3")
    return LabelNode(text(data, "node"), None if level is None else ExplicitnessLevel(level))


_READERS: Mapping[str, Callable[[Data], LabelAct]] = {
    "label": _label,
    "submit_levels": lambda _data: SubmitLevels(),
}
