"""Commands on a study: the services, called from a terminal. The door `edgewise.py` gathers them."""
