"""Triplets: the list, the scoring editor and its settings."""
