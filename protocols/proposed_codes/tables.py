"""No tables: a proposed code counts nowhere until a person accepts it."""

from __future__ import annotations

from core.analysis.presets import ProtocolTables

TABLES = ProtocolTables()
