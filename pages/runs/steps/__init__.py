"""Runs of several steps: steps, one group, people's decisions, and redoing a step."""
