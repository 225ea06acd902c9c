"""Drafts that pages read: tried, settled, put away."""
