"""How a run of several steps goes on: groups laid out, begun, worked out and ended."""
