"""No tables of answers yet."""

from __future__ import annotations

from core.analysis.presets import ProtocolTables

TABLES = ProtocolTables()
