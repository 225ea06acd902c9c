"""Shared parts of all queues: settings, expiry of claims, and order."""
