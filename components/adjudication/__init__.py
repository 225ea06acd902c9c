"""The adjudicator's desk."""
