"""The scoring desk."""
