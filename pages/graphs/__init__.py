"""The graph lab."""
