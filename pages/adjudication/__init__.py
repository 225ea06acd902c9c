"""Adjudicating: the list, the editor and its end."""
