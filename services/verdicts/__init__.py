"""Verdicts of judges as people see them: tables, and which runs judged which."""
