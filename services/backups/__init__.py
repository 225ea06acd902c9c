"""Backups: a study written as one file, checked, and restored."""
