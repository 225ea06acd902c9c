"""Presets written as a list: key, title, what the tables show, and their parts."""

from __future__ import annotations

from typing import Any

from core.analysis.presets import Part, Preset
from core.analysis.sides import Compared


def preset(key: str, title: str, told: str, *parts: Part, **more: Any) -> Preset:
    """`more`: fields of `Preset` by name."""
    return Preset(key=key, title=title, told=told, parts=parts, **more)


def pairs_preset(*compares: Compared, **more: Any) -> Preset:
    """The comparison of models, runs, variants and repeats in pairs, which every protocol has."""
    return Preset(
        key="paired",
        title="In pairs",
        told="Any two models, runs, variants or repeats on the same questions: the mean difference with its interval, "
        "which side wins how many, the smallest difference that this number of questions shows, and which model is "
        "better. A cell opens the answers where the two differ.",
        compares=compares,
        all_variants=True,
        nothing="These runs have no two sides with a score: ask a second model, variant or repeat.",
        **more,
    )


def by_key(*presets: Preset) -> dict[str, Preset]:
    return {each.key: each for each in presets}
