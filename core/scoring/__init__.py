"""Scores of answers against ground truth: closed labels, counts first, undefined with its reason."""
