"""Graphs: their nodes and edges, lists, marks, looks, and which figures they are like."""
