"""Graphs that people build from texts, as models of a run: places, the desk's acts, what is told of them."""
