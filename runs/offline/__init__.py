"""Replies without a request: those of baselines and people, and those imported from a file."""
