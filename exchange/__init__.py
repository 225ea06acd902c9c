"""File formats to and from core values; every row error is returned together."""
