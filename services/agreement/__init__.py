"""Agreement: between annotators, between raters, and of labels with a validated sample."""
