"""Graphs from texts: people build the graph of a text without its figure, as models of a run."""
