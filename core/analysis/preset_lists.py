"""Presets written as a list: key, title, what the tables show, and their parts."""

from __future__ import annotations

from typing import Any

from core.analysis.presets import Part, Preset


def preset(key: str, title: str, told: str, *parts: Part, **more: Any) -> Preset:
    """`more`: fields of `Preset` by name."""
    return Preset(key=key, title=title, told=told, parts=parts, **more)


def by_key(*presets: Preset) -> dict[str, Preset]:
    return {each.key: each for each in presets}
