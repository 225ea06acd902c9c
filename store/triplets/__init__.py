"""Triplets, their sources, lists and scores."""
