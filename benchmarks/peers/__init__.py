"""Other programs for the same work, each in an environment of its own under `build/peers/` (`make bench-peers`)."""
