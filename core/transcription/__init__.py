"""Transcription of figures: proposals, printed names, sweeps, practice, effort."""
