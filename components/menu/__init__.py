"""The menu that every screen shows."""
