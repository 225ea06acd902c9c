"""Signs by the colours of arrows. Pure.

Where no signs are printed, red arrows among green or blue ones mostly lower their effect. It is a custom, not a rule,
so such a sign is proposed with a doubt."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

from documents.proposals.shapes import Colour

GREYEST = 0.3  # saturation and value below which a colour is a grey
SIGNS = {"green": "+", "blue": "+", "red": "-"}


def signs_by_colour(colours: Sequence[Colour]) -> list[str]:
    """Return a sign for each arrow, "" where its colour gives none.

    Colours give signs only if all arrows, grey ones aside, are red or one of green and blue."""
    hues = [_hue(colour) for colour in colours]
    distinct = {hue for hue in hues if hue}
    tells = "red" in distinct and len(distinct) == 2 and "other" not in distinct
    return [SIGNS.get(hue, "") if tells else "" for hue in hues]


def _hue(colour: Colour) -> str:
    if len(colour) != 3:
        return ""
    hue, saturation, value = colorsys.rgb_to_hsv(*colour)
    if saturation < GREYEST or value < GREYEST:
        return ""
    degrees = 360 * hue
    if degrees < 20 or degrees > 335:
        return "red"
    if 80 < degrees < 175:
        return "green"
    return "blue" if 185 < degrees < 265 else "other"
