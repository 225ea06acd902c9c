"""Verdicts of judges: review, tables, and links between runs and their judges."""
