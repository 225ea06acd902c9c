"""The part of a page that a screen over a figure shows, as its components hand it to the browser."""

from __future__ import annotations

import math
from typing import Any

from core.errors import BadInput


def check_extent(width: float, height: float) -> None:
    """Raises BadInput for a figure without extent."""
    if not (math.isfinite(width) and math.isfinite(height) and width > 0 and height > 0):
        raise BadInput(f"A figure of {width} by {height} points cannot be shown; both sides must be above 0.")


def crop_data(
    image_url: str, width: float, height: float, origin: tuple[float, float], alt: str, height_px: int
) -> dict[str, Any]:
    """width, height: size of the crop in points; origin: its left and top on the page, in points; height_px: of the
    window it is shown in. Raises BadInput for a crop without extent."""
    check_extent(width, height)
    return {
        "image_url": image_url, "width": width, "height": height, "origin": list(origin), "alt": alt,
        "height_px": height_px,
    }  # fmt: skip
