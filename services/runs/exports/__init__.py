"""Exports of runs: the whole run, its tables, and chats for fine-tuning."""
