"""Figures detected on pages, and the decision on each: located, excluded, or waiting. Pure.

A detected figure is identified by its place. Its box varies a little between readings of a page, and an annotator may
have drawn it by hand, so two boxes that overlap nearly completely are the same figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.papers.pages import Box, FigureRegion

SAME_PLACE = 0.8  # intersection over union from which two boxes of a page are the same figure


class FigureDecision(StrEnum):
    WAITING = "waiting"
    LOCATED = "located"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class PageFigures:
    """The figures detected on page `number` (from 1); width and height are the page's, in points."""

    number: int
    width: float
    height: float
    regions: tuple[FigureRegion, ...]
    fault: str = ""  # why the page could not be read; then it has no size and no figures

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
class DetectedFigure:
    id: str
    box: Box
    is_archived: bool


@dataclass(frozen=True, slots=True)
class DecisionHere:
    box: Box
    decision: FigureDecision
    figure_id: str | None  # the located figure, if any


@dataclass(frozen=True, slots=True)
class FoundState:
    """State of a detected figure, and the located figure at its place, archived or not; None if there never was one."""

    decision: FigureDecision
    figure_id: str | None


def overlap(a: Box, b: Box) -> float:
    """Return intersection over union, 0 to 1.

    >>> overlap(Box(0, 0, 10, 10), Box(0, 0, 10, 5))
    0.5
    """
    wide, high = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
    shared = max(wide, 0.0) * max(high, 0.0)
    joint = a.width * a.height + b.width * b.height - shared
    return shared / joint if joint else 0.0


def is_same_place(a: Box, b: Box) -> bool:
    return overlap(a, b) >= SAME_PLACE


def state_of(box: Box, figures: Iterable[DetectedFigure], decisions: Iterable[DecisionHere]) -> FoundState:
    """Return the state of the figure detected in `box`, given all figures and decisions of its page.

    Any figure in use there makes it located, also one that was moved by a correction, by its id. An archived figure
    counts as excluded, unless the decision on it was withdrawn."""
    own = next((each for each in decisions if is_same_place(each.box, box)), None)
    own_id = own.figure_id if own is not None else None
    figures_there = [each for each in figures if each.id == own_id or is_same_place(each.box, box)]
    for figure in figures_there:
        if not figure.is_archived:
            return FoundState(FigureDecision.LOCATED, figure.id)
    figure_id = figures_there[0].id if figures_there else None
    if own is not None and own.decision is not FigureDecision.LOCATED:
        return FoundState(own.decision, figure_id)
    return FoundState(FigureDecision.LEFT_OUT if figures_there else FigureDecision.WAITING, figure_id)
