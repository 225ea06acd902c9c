"""No table of answers: what a run comes to is counted from its steps."""

from __future__ import annotations

from core.analysis.presets import ProtocolTables

TABLES = ProtocolTables()
