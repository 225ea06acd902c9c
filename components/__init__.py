"""Draw a value, return what the person did. No store, no services, no model calls."""
