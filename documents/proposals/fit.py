"""Kind of a figure, and how well its lines fit its nodes: a reading that does not fit proposes no edges.

A reading may be wrong throughout and look right, where its lines lie on true arrows but join other names. Then many
ends of arrows lie at no node, nodes have no names, or lines run over a third node. Pure."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from core.transcription.proposals import FigureFit, FigureKind
from documents.proposals.labels import PrintedLabel
from documents.proposals.matching import ReadArrow, Scene, circling_heads
from documents.proposals.nodes import NodeReading
from documents.proposals.shapes import Outline, holds, nearest_of_polygon
from documents.rects import grown, touch

LEAST_HEADS = 5
AT_SHAPE = 0.5  # letters between the end of a line and a shape at which it ends
LEAST_LINE = 1.5  # letters: shorter ones are ticks, crumbs and pieces of signs
LEAST_ENDS, LEAST_NAMED, LEAST_INK = 0.6, 0.7, 0.4
"""Below these shares a figure is not understood (docs/proposals.md: how far right and wrong readings lie apart)."""

ENDS_ASTRAY = "No edges are proposed: too many arrows of this figure end where no name was found."
NAMES_ASTRAY = "No edges are proposed: too many of the figure's boxes or dots have no printed name."
INK_ASTRAY = "No edges are proposed: too many lines of this figure could not be read as arrows."


def kind_of(labels: Sequence[PrintedLabel], *, has_flows: bool) -> FigureKind:
    """Return where most of the names are: in boxes, at dots, or bare."""
    if has_flows:
        return "stocks and flows"
    apart = sum(label.is_apart for label in labels)
    boxed = sum(label.shape is not None for label in labels) - apart
    if 2 * max(apart, boxed) <= len(labels):
        return "bare names"
    return "dots with labels" if apart > boxed else "boxes"


def fit_of(
    scene: Scene, arrows: Sequence[ReadArrow], nodes: NodeReading, names: int, pipes: Collection[int]
) -> FigureFit | None:
    """Return the fit of a reading, None if there are too few heads.

    `arrows` are all that were read, also those to nodes without a name; `names` of the labels are no words at lines.
    `pipes` are the places of the lines to and from valves, of which many end at a cloud, which has no name."""
    joining = {arrow.head for arrow in arrows}
    loops = circling_heads(scene) | {fit.head for fit in scene.fits if fit.shaft in pipes and fit.head not in joining}
    heads = len(scene.heads) - len(loops)
    if heads < LEAST_HEADS:
        return None
    fitting = {arrow.head for arrow in arrows if arrow.is_fitting}
    unnamed = len(nodes.nameless) + sum(_is_end(shape, scene) for shape in nodes.blank)
    read = {fit.shaft for fit in scene.fits if fit.head in loops or fit.head in joining}
    read.update(pipes)
    lines = [(place, shaft.length) for place, shaft in enumerate(scene.shafts)]
    lines = [(place, length) for place, length in lines if length > LEAST_LINE * scene.letter]
    return FigureFit(
        ends=_share(len(fitting), heads),
        named=_share(names, names + unnamed),
        ink=_share(sum(length for place, length in lines if place in read), sum(length for _, length in lines)),
    )


def _is_end(shape: Outline, scene: Scene) -> bool:
    """Return True if a line ends at a shape that is not part of a named one, as round tails are."""
    reach = AT_SHAPE * scene.letter
    box = grown(shape.box, reach)
    if any(label.shape is not None and touch(box, label.shape.box) for label in scene.labels):
        return False
    ends = (shaft.end(which) for shaft in scene.shafts for which in (0, 1))
    return any(holds(box, end) and math.dist(nearest_of_polygon(shape.points, end), end) < reach for end in ends)


def _share(part: float, whole: float) -> float:
    return round(part / whole, 3) if whole else 1.0


def declined(fit: FigureFit | None) -> str:
    if fit is None:
        return ""
    if fit.ends < LEAST_ENDS:
        return ENDS_ASTRAY
    if fit.named < LEAST_NAMED:
        return NAMES_ASTRAY
    return INK_ASTRAY if fit.ink < LEAST_INK else ""
