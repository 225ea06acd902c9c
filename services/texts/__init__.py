"""Texts of papers: made, changed, made ready, and how explicit the graph is in them."""
