"""Crop of a page that shows a figure, for components."""

from __future__ import annotations

from components.figure.crop import Crop
from services.transcription.reading import FigureView


def figure_crop(figure: FigureView, dpi: int, alt: str = "") -> Crop:
    """Return the crop; `alt` replaces the default alternative text."""
    box = figure.box
    return Crop(
        f"/image/figure/{figure.id}?dpi={dpi}&v={figure.version}",
        box.width,
        box.height,
        alt or f"{figure.label or 'Figure'} on page {figure.page} of {figure.paper_title}",
        (box.x0, box.y0),
    )
