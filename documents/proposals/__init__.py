"""Proposals of nodes and edges, read from the shapes and letters of a figure."""
