"""HTTP layer: the gate in front of every path, and the forms before it."""
