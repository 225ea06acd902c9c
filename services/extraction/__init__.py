"""Triplets extracted from papers by a run: making papers ready, a paper's lane, decisions, collecting."""
