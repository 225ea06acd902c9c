"""Settings of the study."""
