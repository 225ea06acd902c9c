"""What a transcription is made of: proposals, printed names, sweeps, practice, effort."""
