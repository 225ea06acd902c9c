"""Runs: states, budgets and filters."""
