"""Runs whose samples are told by their number: written window by window, their messages made again when needed."""
