"""Post-submission review: differences between the program's reading and a submitted transcription."""
