"""Causal triplets: treatment, outcome, sign and context; how several extractions become one, and which are kept."""
