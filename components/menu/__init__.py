"""The menu below which every screen stands."""
