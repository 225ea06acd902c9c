"""The judge of ReCITE: verdicts asked in four sections, read in rounds, scored by their labels and controlled."""
