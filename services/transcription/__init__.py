"""Transcription: figures claimed, transcribed with proposals, and submitted."""
