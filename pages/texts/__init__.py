"""Texts: explicitness of each node of a ground truth in its text, labelled blind by people."""
