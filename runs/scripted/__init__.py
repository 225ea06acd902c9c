"""What the loopback model server says: its scripts, faults and built-in models. Nothing here is a measurement."""
