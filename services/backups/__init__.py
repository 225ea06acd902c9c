"""Backups: a study written out whole, checked, and brought back."""
