"""Runs, their items, replies, totals and lists."""
