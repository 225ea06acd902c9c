"""Commands that compute results from files, without a study; `edgewise.py` registers them."""
