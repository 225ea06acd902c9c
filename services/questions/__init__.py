"""Question sets: preview, freeze, list and export."""
