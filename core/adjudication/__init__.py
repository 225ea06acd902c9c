"""Differences of two transcriptions, and the ground truth that rulings make of them."""
