"""Drafts that pages load: tried, settled, archived."""
