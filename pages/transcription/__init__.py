"""Transcription: the queue, the practice diagram and the editor."""
