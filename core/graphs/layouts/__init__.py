"""Layouts of graphs: anew, by steps, and fitted labels."""
