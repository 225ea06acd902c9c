"""Where the figures of a page are, from its drawn shapes, images and text lines. Pure geometry, no PDF library.

A caption ("Figure 6: ...") claims the shapes between itself and the running text above it (or, failing that, below).
What no caption claims is kept only if it does not look like a rule, a table, a text box or a code listing.
All boxes are (x0, y0, x1, y1) in points of the displayed page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Rect = tuple[float, float, float, float]

CAPTION = re.compile(
    r"^\s*(?P<word>(?i:fig(?:ure|\.)?|scheme|diagram))\s*(?P<number>[A-Z]{0,2}\.?\d+(?:[.\-–]\d+)*[a-z]?)"
    r"(?P<after>\s*[.:|–—]|\s*$|\s+(?=[A-Z(“\"]))"
)
TABLE_CAPTION = re.compile(r"^\s*(?i:table)\s+[A-Z]?\d+(\s*[.:|–—]|\s*$|\s+[A-Z])")
PROSE_WORDS = 7  # a line of running text has at least so many words; labels in figures have fewer
CAPTION_LENGTH = 600
LABEL_REACH = 18.0  # a label this close to a shape belongs to the same figure
JOIN_REACH = 15.0  # uncaptioned shapes this close are one figure
PADDING = 4.0


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text; `block` says which lines the page sets together."""

    text: str
    box: Rect
    block: int

    @property
    def is_prose(self) -> bool:
        return len(self.text.split()) >= PROSE_WORDS


@dataclass(frozen=True, slots=True)
class Shape:
    """A drawn path or an image. `slanted`: has a curve or an oblique stroke, which tables and rules have not."""

    box: Rect
    kind: Literal["vector", "raster"]
    slanted: bool = False


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption: its label ("Figure 6"), its whole text and its place."""

    label: str
    text: str
    box: Rect


@dataclass(frozen=True, slots=True)
class Region:
    """A figure found on a page."""

    box: Rect
    kind: Literal["vector", "raster"]
    label: str = ""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class _Cluster:
    """Touching shapes."""

    box: Rect
    vector: int
    raster: int
    slanted: bool

    @property
    def kind(self) -> Literal["vector", "raster"]:
        return "raster" if self.raster and not self.slanted else "vector"


def find_regions(shapes: Iterable[Shape], lines: Sequence[Line], width: float, height: float) -> list[Region]:
    """Figure regions of a page of width x height points: captioned ones first, then top to bottom."""
    page = (0.0, 0.0, width, height)
    kept = [replace(shape, box=_meet(shape.box, page)) for shape in shapes]
    clusters = _clusters([shape for shape in kept if not _is_background(shape, page)], width, height)
    captions = find_captions(lines)
    in_caption = {line for caption in captions for line in lines if _inside(line.box, caption.box, 1.0)}
    free = [line for line in lines if line not in in_caption]
    regions: list[Region] = []
    for caption in captions:
        claimed = _claimed(caption, clusters, captions, free)
        if claimed:
            clusters = [cluster for cluster in clusters if cluster not in claimed]
            regions.append(_captioned(caption, claimed, free, page))
    clusters = [c for c in clusters if not any(_inside(c.box, region.box, PADDING) for region in regions)]
    regions.sort(key=lambda region: (region.box[1], region.box[0]))
    return regions + _uncaptioned(clusters, free, captions, page)


def find_captions(lines: Sequence[Line]) -> list[Caption]:
    """Figure captions, top to bottom. A sentence that begins "Figure 2 shows" is none; of two claims to one
    number the one with a full stop, colon or dash after it is the caption."""
    found: dict[str, tuple[bool, Caption]] = {}
    extra: list[Caption] = []
    for index, line in enumerate(lines):
        match = CAPTION.match(line.text)
        if match is None or not _starts_block(lines, index):
            continue
        sure = bool(match["after"].strip())
        caption = _whole_caption(lines, index, _label(match))
        if (known := found.get(caption.label)) is not None:
            if known[0] and sure:
                extra.append(caption)  # numbering restarted on this page
                continue
            if known[0] or not sure:
                continue
        found[caption.label] = (sure, caption)
    return sorted([caption for _, caption in found.values()] + extra, key=lambda caption: caption.box[1])


def _label(match: re.Match[str]) -> str:
    word = match["word"].rstrip(".").capitalize()
    return f"{'Figure' if word == 'Fig' else word} {match['number']}"


def _starts_block(lines: Sequence[Line], index: int) -> bool:
    """True unless the line before, in the same block, runs straight into this one as text does."""
    if index == 0 or lines[index - 1].block != lines[index].block:
        return True
    above, here = lines[index - 1], lines[index]
    return not above.is_prose or here.box[1] - above.box[3] > 0.5 * (here.box[3] - here.box[1])


def _whole_caption(lines: Sequence[Line], index: int, label: str) -> Caption:
    """The caption's first line and the lines of its block that follow it downwards."""
    first = lines[index]
    text, box = first.text, first.box
    for line in lines[index + 1 :]:
        too_far = line.box[1] - box[3] > 1.2 * (first.box[3] - first.box[1])
        if line.block != first.block or too_far or line.box[3] < first.box[1]:
            break
        text = text[:-1] + line.text if text.endswith("-") and line.text[:1].islower() else f"{text} {line.text}"
        box = _join(box, line.box)
    return Caption(label, " ".join(text.split())[:CAPTION_LENGTH], box)


def _claimed(
    caption: Caption, clusters: Sequence[_Cluster], captions: Sequence[Caption], free: Sequence[Line]
) -> list[_Cluster]:
    """The clusters a caption stands for: all between it and the nearest running text above, else below."""
    walls = [line.box for line in free if line.is_prose] + [other.box for other in captions if other != caption]
    over = [wall for wall in walls if _overlap(wall, caption.box, 0) > 0]
    top, bottom = caption.box[1], caption.box[3]
    ceiling = max((wall[3] for wall in over if wall[3] <= top + 2), default=0.0)
    above = _within(_widened((caption.box[0], ceiling, caption.box[2], top), bottom, walls), clusters)
    if _is_figure_sized(above):
        return above
    floor = min((wall[1] for wall in over if wall[1] >= bottom - 2), default=float("inf"))
    below = _within(_widened((caption.box[0], bottom, caption.box[2], floor), floor, walls), clusters)
    return below if _is_figure_sized(below) else []


def _widened(band: Rect, bottom: float, walls: Sequence[Rect]) -> Rect:
    """The band from the text on its left to the text on its right: a figure is often wider than its caption.
    `bottom`: how far down a neighbour's caption counts as standing beside the band."""
    beside = [wall for wall in walls if wall[1] < bottom and wall[3] > band[1]]
    left = max((wall[2] for wall in beside if wall[2] <= band[0]), default=float("-inf"))
    right = min((wall[0] for wall in beside if wall[0] >= band[2]), default=float("inf"))
    return (left, band[1], right, band[3])


def _within(band: Rect, clusters: Sequence[_Cluster]) -> list[_Cluster]:
    return [cluster for cluster in clusters if _inside(cluster.box, band, 6.0)]


def _is_figure_sized(clusters: Sequence[_Cluster]) -> bool:
    if not clusters:
        return False
    box = _union(c.box for c in clusters)
    return box[2] - box[0] >= 40 and box[3] - box[1] >= 25


def _captioned(caption: Caption, claimed: Sequence[_Cluster], free: Sequence[Line], page: Rect) -> Region:
    box = _with_labels(_union(c.box for c in claimed), free)
    x0, y0, x1, y1 = _grown(box, PADDING)
    if caption.box[1] >= box[3] - 2:
        y1 = min(y1, caption.box[1] - 0.5)
    elif caption.box[3] <= box[1] + 2:
        y0 = max(y0, caption.box[3] + 0.5)
    return Region(_meet((x0, y0, x1, y1), page), _kind(claimed), caption.label, caption.text)


def _with_labels(box: Rect, free: Sequence[Line]) -> Rect:
    """The box with the short lines around it: labels stand at the ends of arrows, outside every shape."""
    rest = [line for line in free if not line.is_prose]
    while True:
        reach = _grown(box, LABEL_REACH)
        touching = [line for line in rest if _touch(line.box, reach)]
        if not touching:
            return box
        rest = [line for line in rest if line not in touching]
        box = _union([box, *(line.box for line in touching)])


def _uncaptioned(
    clusters: Sequence[_Cluster], free: Sequence[Line], captions: Sequence[Caption], page: Rect
) -> list[Region]:
    if not clusters:
        return []
    if not captions and not any(line.is_prose for line in free):
        whole = _with_labels(_union(c.box for c in clusters), free)  # a page that is nothing but its figure
        candidates = [(whole, list(clusters))]
    else:
        candidates = _joined(clusters)
    regions = [
        Region(_meet(_grown(box, PADDING), page), _kind(members))
        for box, members in candidates
        if _looks_like_figure(box, members, free, page)
    ]
    return sorted(regions, key=lambda region: (region.box[1], region.box[0]))


def _looks_like_figure(box: Rect, members: Sequence[_Cluster], free: Sequence[Line], page: Rect) -> bool:
    wide, high = box[2] - box[0], box[3] - box[1]
    if wide < 72 or high < 50 or wide * high < 0.015 * _area(page):
        return False
    inside = [line for line in free if _inside(line.box, box, 2.0)]
    if _kind(members) == "raster":
        return True
    if not any(member.slanted for member in members) and sum(len(line.text.split()) for line in inside) > 15:
        return False  # a table: straight rules and words
    if any(TABLE_CAPTION.match(line.text) and _is_above(line.box, box) for line in free):
        return False
    return not _is_text_box(box, inside)


def _is_text_box(box: Rect, inside: Sequence[Line]) -> bool:
    """Text boxes and listings are covered by their lines, most of which begin at one left edge."""
    if len(inside) < 3:
        return False
    covered = sum(_area(line.box) for line in inside) / _area(box)
    prose = sum(line.is_prose for line in inside) / len(inside)
    edges = [round(line.box[0] / 3) for line in inside]
    aligned = max(edges.count(edge) for edge in set(edges)) / len(edges)
    listed = aligned > 0.7 and len(inside) >= 5
    return prose > 0.4 or listed or (covered > 0.2 and aligned > 0.35) or covered > 0.55


def _is_above(line: Rect, box: Rect) -> bool:
    return 0 <= box[1] - line[3] < 40 and _overlap(line, box, 0) > 0


def _joined(clusters: Sequence[_Cluster]) -> list[tuple[Rect, list[_Cluster]]]:
    """Clusters within JOIN_REACH of each other, put together until nothing moves."""
    groups: list[tuple[Rect, list[_Cluster]]] = []
    for cluster in clusters:
        box, members = cluster.box, [cluster]
        while True:
            reach = _grown(box, JOIN_REACH)
            near = [group for group in groups if _touch(group[0], reach)]
            if not near:
                break
            groups = [group for group in groups if group not in near]
            box = _union([box, *(group[0] for group in near)])
            members += [member for group in near for member in group[1]]
        groups.append((box, members))
    return groups


def _is_background(shape: Shape, page: Rect) -> bool:
    """Page-sized paint and long thin rules are no part of a figure."""
    wide, high = shape.box[2] - shape.box[0], shape.box[3] - shape.box[1]
    if wide < 0 or high < 0:
        return True
    if shape.kind == "raster":
        return wide < 8 or high < 8
    if wide > 0.95 * page[2] and high > 0.95 * page[3]:
        return True
    return not shape.slanted and ((high < 2.5 and wide > 0.3 * page[2]) or (wide < 2.5 and high > 0.3 * page[3]))


def _clusters(shapes: Sequence[Shape], width: float, height: float) -> list[_Cluster]:
    """Shapes that touch on a grid of about 3 points: one pass, so that 100,000 paths cost no more than their boxes."""
    cell = max(3.0, max(width, height) / 400)
    rows = [0] * (int(height / cell) + 2)
    for shape in shapes:
        left, top, right, bottom = (max(0, int(value / cell)) for value in shape.box)
        bits = ((1 << (right - left + 1)) - 1) << left
        for row in range(top, min(bottom + 1, len(rows))):
            rows[row] |= bits
    components = _Components(rows)
    members: dict[int, list[Shape]] = {}
    for shape in shapes:
        row = min(max(0, int(shape.box[1] / cell)), len(rows) - 1)
        members.setdefault(components.name(row, max(0, int(shape.box[0] / cell))), []).append(shape)
    return [
        _Cluster(
            _union(one.box for one in group),
            sum(one.kind == "vector" for one in group),
            sum(one.kind == "raster" for one in group),
            any(one.slanted for one in group),
        )
        for group in members.values()
    ]


class _Components:
    """Connected cells of a grid of bits, one integer a row."""

    def __init__(self, rows: Sequence[int]) -> None:
        self._parent: list[int] = []
        self._runs: list[list[tuple[int, int, int]]] = []
        previous: list[tuple[int, int, int]] = []
        for bits in rows:
            current = []
            for match in re.finditer("1+", f"{bits:b}"[::-1] if bits else ""):
                name = len(self._parent)
                self._parent.append(name)
                current.append((match.start(), match.end(), name))
            for left, right, name in current:
                for other_left, other_right, other in previous:
                    if other_left <= right and left <= other_right:
                        self._parent[self._root(name)] = self._root(other)
            self._runs.append(current)
            previous = current

    def _root(self, name: int) -> int:
        while self._parent[name] != name:
            self._parent[name] = self._parent[self._parent[name]]
            name = self._parent[name]
        return name

    def name(self, row: int, column: int) -> int:
        """The component of a set cell."""
        return next(self._root(name) for left, right, name in self._runs[row] if left <= column < right)


def _kind(clusters: Sequence[_Cluster]) -> Literal["vector", "raster"]:
    raster = sum(_area(c.box) for c in clusters if c.kind == "raster")
    return "raster" if raster > 0.5 * sum(_area(c.box) for c in clusters) else "vector"


def _union(boxes: Iterable[Rect]) -> Rect:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def _join(one: Rect, other: Rect) -> Rect:
    return _union((one, other))


def _meet(one: Rect, other: Rect) -> Rect:
    return (max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3]))


def _grown(box: Rect, by: float) -> Rect:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def _area(box: Rect) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _touch(one: Rect, other: Rect) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _inside(inner: Rect, outer: Rect, slack: float) -> bool:
    wide = _grown(outer, slack)
    return wide[0] <= inner[0] and wide[1] <= inner[1] and inner[2] <= wide[2] and inner[3] <= wide[3]


def _overlap(one: Rect, other: Rect, axis: int) -> float:
    """Length shared on the x axis (0) or y axis (1)."""
    return min(one[axis + 2], other[axis + 2]) - max(one[axis], other[axis])
