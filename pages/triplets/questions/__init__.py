"""What a run made of abstracts: its questions, entities and abstracts, and the question set."""
