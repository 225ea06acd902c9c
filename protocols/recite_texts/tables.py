"""No tables: texts are judged by their guards, and taken by people."""

from __future__ import annotations

from core.analysis.presets import ProtocolTables

TABLES = ProtocolTables()
