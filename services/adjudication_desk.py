"""What the adjudicator's desk draws: two blind transcriptions over one figure, their differences and the rulings."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.adjudication import Difference, NameQuestion, Ruling
from core.documents import Box
from core.estimate import Estimate
from core.graphs.record import Origin
from core.proposals import Point
from core.sign import Sign
from services.transcription_reading import FigureView


@dataclass(frozen=True, slots=True)
class DeskNode:
    """A variable of either transcription, by aligned name: where it is printed (`box`) or put (`at`) on the page.

    `wording`: what it is called in the ground truth. `in_a`, `in_b`: what each wrote, None if it lacks the variable.
    """

    name: str
    wording: str
    in_a: str | None
    in_b: str | None
    box: Box | None
    at: Point | None


@dataclass(frozen=True, slots=True)
class DeskArrow:
    """An arrow that stands in the ground truth as far as it is ruled, by aligned names."""

    source: str
    sink: str
    sign: Sign | None
    delay: bool
    origin: Origin


@dataclass(frozen=True, slots=True)
class DeskName:
    question: NameQuestion
    ruling: Ruling | None


@dataclass(frozen=True, slots=True)
class DeskDifference:
    """`sentence` says it in words with A's and B's reading; `a_says` and `b_says` are the two, each in a few words."""

    difference: Difference
    ruling: Ruling | None
    sentence: str
    a_says: str
    b_says: str


@dataclass(frozen=True, slots=True)
class DeskFigures:
    """How far the two agree as they were handed in: of edges, under aligned names; nodes under both views."""

    edge_f1: Estimate
    kappa: Estimate
    node_f1_printed: Estimate
    node_f1_aligned: Estimate


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything the page draws. `state` is "open" or "submitted" (finished); `version` that of the ground truth's
    graph, which every act names. `may_rule`: it is the viewer's and open; `may_reopen`: it is finished.
    `waiting`: keys without a ruling, names first; nothing waits when it can be finished."""

    id: str
    graph_id: str
    version: int
    state: str
    round: int
    may_rule: bool
    may_reopen: bool
    figure: FigureView
    nodes: tuple[DeskNode, ...]
    arrows: tuple[DeskArrow, ...]
    names: tuple[DeskName, ...]
    differences: tuple[DeskDifference, ...]
    own: tuple[Ruling, ...]
    waiting: tuple[str, ...]
    figures: DeskFigures
    can_undo: bool
    can_redo: bool
    saved_at: datetime | None
