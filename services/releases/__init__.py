"""Releases: frozen versions of the ground truth."""
