"""Scripts, faults and built-in models of the loopback model server. Nothing here is a measurement."""
