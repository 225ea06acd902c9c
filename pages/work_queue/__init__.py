"""The work queue on screens, for every kind of work."""
