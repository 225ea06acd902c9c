"""Levels of measurement, by themselves so that asking for one loads nothing else."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """What may be said of two values: that they differ, which is more, or by how much."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
