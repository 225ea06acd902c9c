"""Verdicts of a judge: labels of each node and edge of two graphs, and the scores that follow from them (ReCITE)."""
