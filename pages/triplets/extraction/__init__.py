"""Triplets extracted by a run: papers, candidates, decisions, collection and assignment."""
