"""Graphs from texts: people build the graph of a text without seeing its figure."""
