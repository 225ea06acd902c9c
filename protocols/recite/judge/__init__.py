"""ReCITE's judge: verdicts in four sections, read in rounds, scored by their labels, tested with controls."""
