"""Results of runs: tables, cells and their slices."""
