"""Model runs: planned, started, watched, scored again and exported."""
