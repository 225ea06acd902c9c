"""Levels of measurement, in a module of their own so that importing one loads nothing else."""

from __future__ import annotations

from enum import StrEnum


class MeasurementLevel(StrEnum):
    """Comparison that two values allow: different, more, or by how much."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
