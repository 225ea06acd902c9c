"""The transcription canvas: a figure and the graph drawn over it."""
