"""Runs: planning, progress, and models."""
