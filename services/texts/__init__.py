"""Texts of papers: generation, edits, readiness, and explicitness of the graph in them."""
