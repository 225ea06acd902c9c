"""What the screens of every kind of work share: they pass their kind, and say what only they know."""
