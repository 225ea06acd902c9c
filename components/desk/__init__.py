"""Common parts of all desks: outbox, state, keys, parts of the page."""
