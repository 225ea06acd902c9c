"""After submitting: what the reading of a figure holds otherwise, and what becomes of it."""
