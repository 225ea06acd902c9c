"""Shares along an axis of labels as SVG: a point for each, and a line over its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from components.widgets.reliability import DARK, LIGHT, Colours

WIDTH, HEIGHT = 520, 320
LEFT, RIGHT, TOP, BOTTOM = 58, 14, 18, 46
CAP = 5
TICKS = 5


@dataclass(frozen=True, slots=True)
class Point:
    """`value`, `low` and `high` are 0–1, None where undefined; `text` is the value as tables print it."""

    label: str
    value: float | None
    low: float | None
    high: float | None
    text: str


def points_svg(points: Sequence[Point], title: str, *, in_percent: bool, dark: bool) -> str:
    """A drawing of all points in their order; one without a value keeps its place. The axis runs from 0 to 1, or to
    100%; `title` stands beside it."""
    colours = DARK if dark else LIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="Source Sans Pro, Helvetica, Arial, sans-serif" font-size="12" fill="{colours.text}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{colours.ground}"/>',
        *_grid(title, in_percent, colours),
        *(part for place, each in enumerate(points) for part in _point(_x(place, len(points)), each, colours)),
        "</svg>",
    ]
    return "\n".join(parts)


def words_of(points: Sequence[Point], title: str) -> str:
    """The same for those who do not see it."""
    said = [f"{each.label}: {each.text}" for each in points if each.value is not None]
    return f"{title}. " + ("; ".join(said) if said else "No value")


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


def _point(x: float, each: Point, colours: Colours) -> list[str]:
    label = f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{escape(each.label)}</text>'
    if each.value is None:
        return [label]
    parts = [label]
    if each.low is not None and each.high is not None:
        low, high = _y(each.low), _y(each.high)
        parts += [
            f'<line x1="{x:.1f}" y1="{low:.1f}" x2="{x:.1f}" y2="{high:.1f}" stroke="{colours.bar}" stroke-width="2"/>',
            *(
                f'<line x1="{x - CAP:.1f}" y1="{end:.1f}" x2="{x + CAP:.1f}" y2="{end:.1f}" stroke="{colours.bar}" '
                'stroke-width="2"/>'
                for end in (low, high)
            ),
        ]
    return [
        *parts,
        f'<circle cx="{x:.1f}" cy="{_y(each.value):.1f}" r="4.5" fill="{colours.bar}"/>',
        f'<text x="{x + 8:.1f}" y="{_y(each.value) + 4:.1f}" font-size="11">{escape(each.text)}</text>',
    ]


def _x(place: int, count: int) -> float:
    return LEFT + (place + 0.5) * (WIDTH - LEFT - RIGHT) / count


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
