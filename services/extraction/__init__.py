"""Triplets extracted from papers by a run: page texts, a paper's candidates, decisions, collecting."""
