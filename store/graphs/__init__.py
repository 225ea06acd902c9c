"""Graphs: nodes and edges, lists, marks, exposures, and figures with similar names."""
