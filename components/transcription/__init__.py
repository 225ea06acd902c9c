"""The desk of a transcription: the figure with the graph that is drawn over it, and its edges as a list."""
