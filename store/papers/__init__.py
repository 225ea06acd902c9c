"""Papers, their figures and texts in the store."""
