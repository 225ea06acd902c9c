"""Groups of a run of several steps: laid out, started, computed and ended."""
