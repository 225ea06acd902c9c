"""Releases of the ground truth."""
