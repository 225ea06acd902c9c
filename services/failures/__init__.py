"""Answers of all runs as a list: filtered, compared, opened; and views of the list by name."""
