"""Typed lines of edges: read, suggested, written."""
