"""Results of runs: their frame, tables computed from it, and files of these tables."""
