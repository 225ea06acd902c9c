"""Commands on a study: services called from a terminal. `edgewise.py` registers them."""
