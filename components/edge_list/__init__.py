"""The list of edges next to the canvas, edited by typing."""
