"""Shares along an axis of labels as SVG: a line of points a series, and a bar over the interval of each point.

Series differ in colour and in the form of their points, so that neither is needed alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from components.widgets.reliability import DARK, LIGHT, Colours

WIDTH, HEIGHT = 520, 320
"""Without the legend, which is added below."""
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 18, 46
CAP = 4
TICKS = 5
LINE = 20
"""Height of a line of the legend."""
LONGEST_NAME = 60
SPREAD = 0.5
"""Share of a label's width over which its points are spread, so that no bar hides another."""
LIGHT_SERIES = ("#0072B2", "#C44601", "#00795A", "#A13D78", "#5A6068", "#7A5C00", "#4B3FB5", "#B0003A")
DARK_SERIES = ("#5BB0E8", "#F08A4B", "#3FC99A", "#E08BBB", "#B9BEC4", "#D9B54A", "#A29BF5", "#FF7A94")
"""Each at least 3 : 1 on the ground of its theme."""
MOST_SERIES = len(LIGHT_SERIES)
FORMS = ("circle", "square", "diamond", "up", "down", "ring", "frame", "cross")


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """A point; `value`, `low` and `high` are 0–1, None if undefined; `text` is the value as tables print it."""

    label: str
    value: float | None
    low: float | None
    high: float | None
    text: str


@dataclass(frozen=True, slots=True)
class Series:
    """A series; the points of all series have the same labels, in the same order."""

    name: str
    points: Sequence[ChartPoint]


def points_svg(series: Sequence[Series], title: str, *, in_percent: bool, dark: bool) -> str:
    """Return a drawing of at most `MOST_SERIES` series; a point without a value ends the line before it.

    The axis, with `title`, runs from 0 to 1, or to 100%. Several series have a legend, a single one has its values next
    to its points."""
    shown = series[:MOST_SERIES]
    colours, own = (DARK, DARK_SERIES) if dark else (LIGHT, LIGHT_SERIES)
    height = HEIGHT + (LINE * len(shown) if len(shown) > 1 else 0)
    labels = [point.label for point in shown[0].points] if shown else []
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="Source Sans Pro, Helvetica, Arial, sans-serif" font-size="12" fill="{colours.text}">',
        f'<rect width="{WIDTH}" height="{height}" fill="{colours.ground}"/>',
        *_grid(title, in_percent, colours),
        *(
            f'<text x="{_middle(place, len(labels)):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">'
            f"{escape(label)}</text>"
            for place, label in enumerate(labels)
        ),
    ]
    for number, curve in enumerate(shown):
        parts += _series(number, len(shown), curve, own[number])
        if len(shown) > 1:
            y = HEIGHT + LINE * number
            name = curve.name if len(curve.name) <= LONGEST_NAME else f"{curve.name[: LONGEST_NAME - 1]}…"
            parts.append(_mark(number, LEFT + 6, y, own[number]))
            parts.append(f'<text x="{LEFT + 20}" y="{y + 4:.1f}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"])


def words_of(series: Sequence[Series], title: str) -> str:
    """Return the drawing in words, as its text alternative."""
    sentences = []
    for curve in series[:MOST_SERIES]:
        values = [f"{point.label}: {point.text}" for point in curve.points if point.value is not None]
        sentences.append(f"{curve.name}: {'; '.join(values) or 'no value'}")
    return f"{title}. " + (". ".join(sentences) if sentences else "No value")


def _grid(title: str, in_percent: bool, colours: Colours) -> list[str]:
    parts = []
    for step in range(TICKS + 1):
        at = step / TICKS
        text = f"{at:.0%}" if in_percent else f"{at:.1f}"
        parts += [
            f'<line x1="{LEFT}" y1="{_y(at):.1f}" x2="{WIDTH - RIGHT}" y2="{_y(at):.1f}" stroke="{colours.grid}"/>',
            f'<text x="{LEFT - 8}" y="{_y(at) + 4:.1f}" text-anchor="end">{text}</text>',
        ]
    middle = (TOP + HEIGHT - BOTTOM) / 2
    turned = f'text-anchor="middle" transform="rotate(-90 14 {middle:.1f})"'
    return [*parts, f'<text x="14" y="{middle:.1f}" {turned}>{escape(title)}</text>']


def _series(number: int, of: int, series: Series, colour: str) -> list[str]:
    """Return the line below, then the bars, and the points above both."""
    count = len(series.points)
    aside = SPREAD * (WIDTH - LEFT - RIGHT) / max(1, count) * ((number + 0.5) / of - 0.5)
    places = [_middle(place, count) + aside for place in range(count)]
    defined = [
        None if point.value is None else (x, _y(point.value)) for x, point in zip(places, series.points, strict=True)
    ]
    lines = [
        f'<line x1="{one[0]:.1f}" y1="{one[1]:.1f}" x2="{two[0]:.1f}" y2="{two[1]:.1f}" stroke="{colour}" '
        'stroke-width="1.5" stroke-opacity="0.6"/>'
        for one, two in pairwise(defined)
        if one is not None and two is not None
    ]
    bars = [part for x, point in zip(places, series.points, strict=True) for part in _bar(x, point, colour)]
    marks = [_mark(number, *at, colour) for at in defined if at is not None]
    texts = [
        f'<text x="{at[0] + 8:.1f}" y="{at[1] + 4:.1f}" font-size="11">{escape(point.text)}</text>'
        for at, point in zip(defined, series.points, strict=True)
        if at is not None and of == 1
    ]
    return [*lines, *bars, *marks, *texts]


def _bar(x: float, point: ChartPoint, colour: str) -> list[str]:
    if point.value is None or point.low is None or point.high is None:
        return []
    low, high = _y(point.low), _y(point.high)
    ends = [(x, low, x, high), (x - CAP, low, x + CAP, low), (x - CAP, high, x + CAP, high)]
    return [
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="1.5"/>'
        for x1, y1, x2, y2 in ends
    ]


def _mark(number: int, x: float, y: float, colour: str) -> str:
    form = FORMS[number]
    if form in ("circle", "ring"):
        inside = colour if form == "circle" else "none"
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{inside}" stroke="{colour}" stroke-width="1.5"/>'
    if form == "cross":
        d = f"M{x - 4:.1f} {y - 4:.1f}l8 8M{x + 4:.1f} {y - 4:.1f}l-8 8"
        return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="2.5"/>'
    d = {
        "square": f"M{x - 4:.1f} {y - 4:.1f}h8v8h-8z",
        "frame": f"M{x - 4:.1f} {y - 4:.1f}h8v8h-8z",
        "diamond": f"M{x:.1f} {y - 5.5:.1f}l5.5 5.5l-5.5 5.5l-5.5 -5.5z",
        "up": f"M{x:.1f} {y - 5:.1f}l5 9h-10z",
        "down": f"M{x:.1f} {y + 5:.1f}l5 -9h-10z",
    }[form]
    return f'<path d="{d}" fill="{"none" if form == "frame" else colour}" stroke="{colour}" stroke-width="1.5"/>'


def _middle(place: int, count: int) -> float:
    return LEFT + (place + 0.5) * (WIDTH - LEFT - RIGHT) / count


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
