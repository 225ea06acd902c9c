"""A page or figure with zoom and pan, and regions picked on it."""
