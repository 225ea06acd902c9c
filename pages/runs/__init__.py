"""Runs: planned, watched, and the models they ask."""
