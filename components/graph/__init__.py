"""Graphs as pictures and tables."""
