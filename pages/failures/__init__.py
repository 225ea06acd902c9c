"""Failures of runs: filters, items, replies and comparisons."""
