"""Causal triplets: treatment, outcome, sign and context; consensus of several extractions, and acceptance."""
