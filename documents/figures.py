"""Figures of a page, from its drawn shapes, images and text lines. Pure geometry, no PDF library.

A diagram, known from the page's reading, is a figure without the tables, listings and footers around it. A caption
("Figure 6: ...") claims the diagrams and shapes between itself and the running text above it (or, failing that, below).
A shape without a caption is accepted only if it does not look like a rule, a table, a text box or a code listing.
All boxes are (x0, y0, x1, y1) in points of the displayed page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from core.transcription.proposals import FigureProposals
from documents.page_diagrams import diagram_boxes, is_mostly_inside
from documents.proposals.captions import TABLE_CAPTION, Caption, TextLine, find_captions
from documents.proposals.clusters import Cluster, InkShape, clusters_of, is_background, kind_of
from documents.rects import Rect, area, grown, is_inside, meet, overlap, touch, union

LABEL_REACH = 18.0  # a label this close to a shape belongs to the same figure
JOIN_REACH = 15.0  # uncaptioned shapes this close are one figure
THINNEST = 4.0  # a straight shape less high or wide is a rule
PADDING = 4.0


@dataclass(frozen=True, slots=True)
class Region:
    """A figure on a page."""

    box: Rect
    kind: Literal["vector", "raster"]
    label: str = ""
    caption: str = ""


def find_regions(
    shapes: Iterable[InkShape],
    lines: Sequence[TextLine],
    width: float,
    height: float,
    reading: FigureProposals | None = None,
) -> list[Region]:
    """Return the figure regions of a page of width x height points: captioned ones first, then top to bottom.
    `reading`: names and arrows of the whole page, None if it was not read."""
    page = (0.0, 0.0, width, height)
    clipped = [replace(shape, box=meet(shape.box, page)) for shape in shapes]
    ink = [shape for shape in clipped if not is_background(shape, page)]
    captions = find_captions(lines)
    in_caption = {line for caption in captions for line in lines if is_inside(line.box, caption.box, 1.0)}
    free = [line for line in lines if line not in in_caption]
    walls = [line.box for line in free if line.is_prose] + [caption.box for caption in captions]
    diagrams = diagram_boxes(reading, ink, free, walls) if reading is not None else []
    clusters = clusters_of(
        [shape for shape in ink if not any(is_mostly_inside(shape.box, box) for box in diagrams)], width, height
    )
    clusters += [Cluster(box, 1, 0, slanted=True, is_diagram=True) for box in diagrams]
    regions: list[Region] = []
    for caption in captions:
        claimed = _claimed(caption, clusters, captions, free)
        if claimed:
            clusters = [cluster for cluster in clusters if cluster not in claimed]
            regions.append(_captioned(caption, claimed, free, page))
    clusters = [c for c in clusters if not any(is_inside(c.box, region.box, PADDING) for region in regions)]
    regions.sort(key=lambda region: (region.box[1], region.box[0]))
    return regions + _uncaptioned(clusters, free, captions, page)


def _claimed(
    caption: Caption, clusters: Sequence[Cluster], captions: Sequence[Caption], free: Sequence[TextLine]
) -> list[Cluster]:
    walls = [line.box for line in free if line.is_prose] + [other.box for other in captions if other != caption]
    over = [wall for wall in walls if overlap(wall, caption.box, 0) > 0]
    top, bottom = caption.box[1], caption.box[3]
    ceiling = max((wall[3] for wall in over if wall[3] <= top + 2), default=0.0)
    above = _within(_widened((caption.box[0], ceiling, caption.box[2], top), bottom, walls), clusters)
    if _is_figure_sized(above):
        return above
    floor = min((wall[1] for wall in over if wall[1] >= bottom - 2), default=float("inf"))
    below = _within(_widened((caption.box[0], bottom, caption.box[2], floor), floor, walls), clusters)
    return below if _is_figure_sized(below) else []


def _widened(band: Rect, bottom: float, walls: Sequence[Rect]) -> Rect:
    """Widen a band to the text on its left and right: a figure is often wider than its caption.

    `bottom`: how far down a neighbour's caption counts as next to the band."""
    neighbours = [wall for wall in walls if wall[1] < bottom and wall[3] > band[1]]
    left = max((wall[2] for wall in neighbours if wall[2] <= band[0]), default=float("-inf"))
    right = min((wall[0] for wall in neighbours if wall[0] >= band[2]), default=float("inf"))
    return (left, band[1], right, band[3])


def _within(band: Rect, clusters: Sequence[Cluster]) -> list[Cluster]:
    return [cluster for cluster in clusters if is_inside(cluster.box, band, 6.0)]


def _is_figure_sized(clusters: Sequence[Cluster]) -> bool:
    if not clusters:
        return False
    box = union(c.box for c in clusters)
    return box[2] - box[0] >= 40 and box[3] - box[1] >= 25


def _captioned(caption: Caption, claimed: Sequence[Cluster], free: Sequence[TextLine], page: Rect) -> Region:
    if any(cluster.is_diagram for cluster in claimed):
        claimed = [cluster for cluster in claimed if _may_join_diagram(cluster, free)]
        box = union(c.box for c in claimed)
    else:
        box = _with_labels(union(c.box for c in claimed), free)
    x0, y0, x1, y1 = grown(box, PADDING)
    if caption.box[1] >= box[3] - 2:
        y1 = min(y1, caption.box[1] - 0.5)
    elif caption.box[3] <= box[1] + 2:
        y0 = max(y0, caption.box[3] + 0.5)
    return Region(meet((x0, y0, x1, y1), page), kind_of(claimed), caption.label, caption.text)


def _with_labels(box: Rect, free: Sequence[TextLine]) -> Rect:
    """Extend a box by the short lines around it: labels are printed at the ends of arrows, outside every shape."""
    rest = [line for line in free if not line.is_prose]
    while True:
        reach = grown(box, LABEL_REACH)
        touching = [line for line in rest if touch(line.box, reach)]
        if not touching:
            return box
        rest = [line for line in rest if line not in touching]
        box = union([box, *(line.box for line in touching)])


def _uncaptioned(
    clusters: Sequence[Cluster], free: Sequence[TextLine], captions: Sequence[Caption], page: Rect
) -> list[Region]:
    if not clusters:
        return []
    diagrams = [cluster.box for cluster in clusters if cluster.is_diagram]
    has_more = len(diagrams) < len(clusters) or any(
        not any(is_mostly_inside(line.box, box) for box in diagrams) for line in free
    )
    if not (diagrams and has_more) and not captions and not any(line.is_prose for line in free):
        whole = _with_labels(union(c.box for c in clusters), free)  # a page that is nothing but its figure
        candidates = [(whole, list(clusters))]
    else:
        candidates = _joined(clusters, free)
    regions = [
        Region(meet(grown(box, PADDING), page), kind_of(members))
        for box, members in candidates
        if any(member.is_diagram for member in members) or _is_figure(box, members, free, page)
    ]
    return sorted(regions, key=lambda region: (region.box[1], region.box[0]))


def _is_figure(box: Rect, members: Sequence[Cluster], free: Sequence[TextLine], page: Rect) -> bool:
    wide, high = box[2] - box[0], box[3] - box[1]
    if wide < 72 or high < 50 or wide * high < 0.015 * area(page):
        return False
    inside = [line for line in free if is_inside(line.box, box, 2.0)]
    if kind_of(members) == "raster":
        return True
    if not any(member.slanted for member in members) and sum(len(line.text.split()) for line in inside) > 15:
        return False  # a table: straight rules and words
    if any(
        TABLE_CAPTION.match(line.text) and (0 <= box[1] - line.box[3] < 40 and overlap(line.box, box, 0) > 0)
        for line in free
    ):
        return False
    return not _is_text_box(box, inside)


def _is_text_box(box: Rect, inside: Sequence[TextLine]) -> bool:
    """Return True if lines cover the box and most begin at one left edge, as in text boxes and listings."""
    if len(inside) < 3:
        return False
    covered = sum(area(line.box) for line in inside) / area(box)
    prose = sum(line.is_prose for line in inside) / len(inside)
    edges = [round(line.box[0] / 3) for line in inside]
    aligned = max(edges.count(edge) for edge in set(edges)) / len(edges)
    listed = aligned > 0.7 and len(inside) >= 5
    return prose > 0.4 or listed or (covered > 0.2 and aligned > 0.35) or covered > 0.55


def _joined(clusters: Sequence[Cluster], free: Sequence[TextLine]) -> list[tuple[Rect, list[Cluster]]]:
    groups: list[tuple[Rect, list[Cluster]]] = []
    for cluster in sorted(clusters, key=lambda one: not one.is_diagram):
        box, members = cluster.box, [cluster]
        while True:
            reach = grown(box, JOIN_REACH)
            near = [group for group in groups if touch(group[0], reach) and _may_join(members, group[1], free)]
            if not near:
                break
            groups = [group for group in groups if group not in near]
            box = union([box, *(group[0] for group in near)])
            members += [member for group in near for member in group[1]]
        groups.append((box, members))
    return groups


def _may_join(one: Sequence[Cluster], other: Sequence[Cluster], free: Sequence[TextLine]) -> bool:
    """Return False for a diagram and something near it that is no part of one, as an emblem in the footer."""
    both = [*one, *other]
    if not any(cluster.is_diagram for cluster in both):
        return True
    return not any(cluster.raster for cluster in both) and all(_may_join_diagram(cluster, free) for cluster in both)


def _may_join_diagram(cluster: Cluster, free: Sequence[TextLine]) -> bool:
    """Return False for a rule, a table and a text box. A node without arrows has one name."""
    if cluster.is_diagram or cluster.raster:
        return True
    box = cluster.box
    inside = [line for line in free if is_inside(line.box, box, 2.0)]
    if cluster.slanted:
        return not _is_text_box(box, inside)
    is_rule = min(box[2] - box[0], box[3] - box[1]) < THINNEST
    has_columns = any(overlap(a.box, b.box, 1) > 0 for a, b in combinations(inside, 2))
    return not is_rule and not has_columns and not _is_text_box(box, inside)
