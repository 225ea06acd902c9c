"""Verdicts: sheets that wait for a reviewer, the desk, and what came of judges."""
