"""Expectations of a figure before transcribing: thumbnail, detected nodes and minutes."""

from __future__ import annotations

from core.estimate import Estimate
from core.words import counted
from services.transcription.expected import ExpectedFigure


def thumbnail_url(figure_id: str, figure: ExpectedFigure | None) -> str:
    """Return the address of the thumbnail, with its version for browser caching; empty without a file."""
    return "" if figure is None else f"/image/thumbnail/{figure_id}?v={figure.version}"


def in_words(figure: ExpectedFigure | None) -> str:
    """Return, for example, "12 nodes found · about 6 min", without unknown parts."""
    if figure is None or not figure.nodes:
        return ""
    minutes = minutes_of(figure.minutes)
    duration = f"about {minutes} min" if minutes is not None else ""
    return " · ".join(filter(None, (f"{counted(figure.nodes, 'node')} found", duration)))


def minutes_of(minutes: Estimate) -> int | None:
    return None if minutes.value is None else max(1, round(minutes.value))
