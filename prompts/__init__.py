"""Prompt texts as files, and their one loader."""
