"""The list of edges beside the canvas, edited by typing."""
