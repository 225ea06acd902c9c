"""Adjudication: two transcriptions of a figure become one ground truth, ruling by ruling."""
