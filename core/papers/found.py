"""Figures that a program found on pages, and what people decided on each: located, left out, or still waiting. Pure.

A found figure is told from another by its place. The place of the same figure differs a little from one reading of a
page to the next, and a person may have drawn it by hand; so two places are one if they cover nearly the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.papers.pages import Box, FigureRegion

SAME_PLACE = 0.8
"""Shared area over joint area, from which two boxes of a page are the same figure."""


class FigureDecision(StrEnum):
    """What became of a found figure."""

    WAITING = "waiting"
    LOCATED = "located"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class PageFigures:
    """The figures found on page `number` (from 1); width, height: of the page, in points. `fault`: why the page could
    not be read; then it has no size and no figures."""

    number: int
    width: float
    height: float
    regions: tuple[FigureRegion, ...]
    fault: str = ""

    def as_json(self) -> dict[str, Any]:
        if self.fault:
            return {"fault": self.fault}
        regions = [
            {
                "box": [each.box.x0, each.box.y0, each.box.x1, each.box.y1],
                "kind": each.kind,
                "label": each.label,
                "caption": each.caption,
            }
            for each in self.regions
        ]
        return {"width": self.width, "height": self.height, "regions": regions}

    @classmethod
    def from_json(cls, number: int, data: Mapping[str, Any]) -> PageFigures:
        if "fault" in data:
            return cls(number, 0, 0, (), data["fault"])
        regions = (
            FigureRegion(Box(*each["box"]), each["kind"], each["label"], each["caption"]) for each in data["regions"]
        )
        return cls(number, data["width"], data["height"], tuple(regions))


@dataclass(frozen=True, slots=True)
class FigureHere:
    """A figure of the page that somebody located, in use or archived."""

    id: str
    box: Box
    is_archived: bool


@dataclass(frozen=True, slots=True)
class DecisionHere:
    """What was decided on a found figure of the page; `figure_id`: what it became."""

    box: Box
    decision: FigureDecision
    figure_id: str | None


@dataclass(frozen=True, slots=True)
class FoundState:
    """How a found figure stands, and the figure that it is, in use or archived; None if it never was one."""

    decision: FigureDecision
    figure_id: str | None


def overlap(a: Box, b: Box) -> float:
    """Shared area over joint area, 0 to 1.

    >>> overlap(Box(0, 0, 10, 10), Box(0, 0, 10, 5))
    0.5
    """
    wide, high = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
    shared = max(wide, 0.0) * max(high, 0.0)
    joint = a.width * a.height + b.width * b.height - shared
    return shared / joint if joint else 0.0


def is_same_place(a: Box, b: Box) -> bool:
    return overlap(a, b) >= SAME_PLACE


def state_of(box: Box, figures: Iterable[FigureHere], decisions: Iterable[DecisionHere]) -> FoundState:
    """How the figure found in `box` stands, by all figures and all decisions of its page.

    A figure in use there makes it located, whoever located it; one that was moved by its correction still counts, by
    its id. A figure that was archived there counts as left out, unless the decision on it was taken back.
    """
    own = next((each for each in decisions if is_same_place(each.box, box)), None)
    own_id = own.figure_id if own is not None else None
    here = [each for each in figures if each.id == own_id or is_same_place(each.box, box)]
    for each in here:
        if not each.is_archived:
            return FoundState(FigureDecision.LOCATED, each.id)
    figure_id = here[0].id if here else None
    if own is not None and own.decision is not FigureDecision.LOCATED:
        return FoundState(own.decision, figure_id)
    return FoundState(FigureDecision.LEFT_OUT if here else FigureDecision.WAITING, figure_id)
