"""Acts of the contact sheet as typed values. They come from a browser and may be forged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from components.desk.act_fields import Data, identifier, read_act, text, unreadable
from components.desk.posting.acts import Act
from core.papers.detected_figures import FigureDecision


@dataclass(frozen=True, slots=True)
class Decide:
    """A decision on a detected figure."""

    figure: str
    decision: FigureDecision
    was: FigureDecision  # the decision that the user saw before


def read_sheet_act(act: Act) -> Decide:
    """Return one act of the sheet as a typed value. Raises BadInput for an unknown kind or a wrong shape."""
    return read_act(act, _READERS)


def _decision(data: Data, field: str) -> FigureDecision:
    word = text(data, field)
    if word not in [each.value for each in FigureDecision]:
        raise unreadable("a decision that is none of waiting, located and left out")
    return FigureDecision(word)


_READERS: Mapping[str, Callable[[Data], Decide]] = {
    "decide_figure": lambda data: Decide(
        identifier(data.get("figure")), _decision(data, "decision"), _decision(data, "was")
    )
}
