"""What is said of a figure before it is drawn: its thumbnail, the nodes found in it, and the minutes it will take."""

from __future__ import annotations

from core.estimate import Estimate
from core.words import counted
from services.transcription.expected import ExpectedFigure


def thumbnail_url(figure_id: str, figure: ExpectedFigure | None) -> str:
    """The address of its small picture, with its version, so that the browser may keep it; "" without a file."""
    return "" if figure is None else f"/image/thumbnail/{figure_id}?v={figure.version}"


def in_words(figure: ExpectedFigure | None) -> str:
    """For example "12 nodes found · about 6 min"; what is not known is left out."""
    if figure is None or not figure.nodes:
        return ""
    minutes = minutes_of(figure.minutes)
    said = f"about {minutes} min" if minutes is not None else ""
    return " · ".join(filter(None, (f"{counted(figure.nodes, 'node')} found", said)))


def minutes_of(minutes: Estimate) -> int | None:
    """Whole minutes, at least one."""
    return None if minutes.value is None else max(1, round(minutes.value))
