"""Graphs that people build from texts as models of a run: claims, actions of the desk, instructions."""
