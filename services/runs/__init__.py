"""Model runs: planning, start, progress, rescoring and export."""
