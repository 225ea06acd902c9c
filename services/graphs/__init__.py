"""Graphs of the lab: who may see which, comparing, importing, exporting."""
