"""Runs whose samples have numbers: written window by window, their messages derived again when needed."""
