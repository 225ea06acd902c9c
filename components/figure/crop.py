"""The part of a page that a component shows, as data for the browser."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from core.errors import BadInput


def check_extent(width: float, height: float) -> None:
    """Raise BadInput for a figure without extent."""
    if not (math.isfinite(width) and math.isfinite(height) and width > 0 and height > 0):
        raise BadInput(f"A figure of {width} by {height} points cannot be shown; both sides must be above 0.")


@dataclass(frozen=True, slots=True)
class Crop:
    """A part of a page."""

    image_url: str
    width: float  # points
    height: float  # points
    alt: str  # text alternative
    origin: tuple[float, float] = (0, 0)  # its left and top on the page, in points

    def as_data(self, height_px: int) -> dict[str, Any]:
        """Return the data for a window `height_px` CSS pixels high. Raises BadInput for a crop without extent."""
        check_extent(self.width, self.height)
        return {
            "image_url": self.image_url,
            "width": self.width,
            "height": self.height,
            "origin": list(self.origin),
            "alt": self.alt,
            "height_px": height_px,
        }
