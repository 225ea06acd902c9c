"""Causal graphs: their values, names, text form, checks and layout."""
