"""Replies that nothing was sent for: those of baselines, and those that came with a file."""
