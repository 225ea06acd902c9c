"""The queue of figures: who holds which, what comes next, and the rules that its owner sets."""
