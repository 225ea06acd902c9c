"""What all desks have in common: outbox, state, keys, parts of the page."""
