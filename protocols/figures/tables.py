"""No tables: what a figure shows is settled by people, and a reading of it is a proposal."""

from __future__ import annotations

from core.analysis.presets import ProtocolTables

TABLES = ProtocolTables()
