"""The desk on which verdicts are labelled, compared and corrected."""
