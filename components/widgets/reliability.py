"""The reliability diagram as SVG: a bar a bin, as high as its share of right answers, and the diagonal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.scoring.calibration import Bin

WIDTH, HEIGHT = 420, 360
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 18, 46


@dataclass(frozen=True, slots=True)
class Colours:
    """Colours of a theme: each at least 4.5 : 1 on its ground if it is text, 3 : 1 if it is a shape."""

    ground: str
    text: str
    grid: str
    bar: str
    line: str


LIGHT = Colours("#FDFCFA", "#4A5056", "#DEDAD1", "#0072B2", "#C44601")
DARK = Colours("#17191C", "#B9BEC4", "#3A3E44", "#5BB0E8", "#F08A4B")


def reliability_svg(bins: Sequence[Bin], *, dark: bool) -> str:
    """Return a drawing of all bins; empty ones have no bar. Both axes run from 0 to 1."""
    colours = DARK if dark else LIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="Source Sans Pro, Helvetica, Arial, sans-serif" font-size="12" fill="{colours.text}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{colours.ground}"/>',
        *_grid(colours),
        *(_bar(each, colours) for each in bins if each.accuracy.value is not None),
        f'<line x1="{_x(0):.1f}" y1="{_y(0):.1f}" x2="{_x(1):.1f}" y2="{_y(1):.1f}" stroke="{colours.line}" '
        'stroke-width="1.5" stroke-dasharray="5 4"/>',
        "</svg>",
    ]
    return "\n".join(parts)


def words_of(bins: Sequence[Bin]) -> str:
    """Return the drawing in words, as its text alternative."""
    bins_in_words = [
        f"{each.low:.1f}–{each.high:.1f}: accuracy {each.accuracy.value:.0%} of {each.n:,}"
        for each in bins
        if each.accuracy.value is not None
    ]
    return "Reliability diagram. Accuracy per confidence bin: " + (
        "; ".join(bins_in_words) if bins_in_words else "no item"
    )


def _grid(colours: Colours) -> list[str]:
    parts = []
    for tenth in range(0, 11, 2):
        at = tenth / 10
        parts += [
            f'<line x1="{_x(0):.1f}" y1="{_y(at):.1f}" x2="{_x(1):.1f}" y2="{_y(at):.1f}" stroke="{colours.grid}"/>',
            f'<text x="{LEFT - 8}" y="{_y(at) + 4:.1f}" text-anchor="end">{at:.1f}</text>',
            f'<text x="{_x(at):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{at:.1f}</text>',
        ]
    middle = (TOP + HEIGHT - BOTTOM) / 2
    return [
        *parts,
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.1f}" y="{HEIGHT - 8}" text-anchor="middle">confidence</text>',
        f'<text x="14" y="{middle:.1f}" text-anchor="middle" transform="rotate(-90 14 {middle:.1f})">accuracy</text>',
    ]


def _bar(bar_bin: Bin, colours: Colours) -> str:
    accuracy = bar_bin.accuracy.value or 0.0
    left, right, top = _x(bar_bin.low) + 1, _x(bar_bin.high) - 1, _y(accuracy)
    middle = (left + right) / 2
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{_y(0) - top:.1f}" '
        f'fill="{colours.bar}" fill-opacity="0.75"/>'
        f'<text x="{middle:.1f}" y="{top - 4:.1f}" text-anchor="middle" font-size="11">{bar_bin.n:,}</text>'
    )


def _x(share: float) -> float:
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
