"""Commands that compute: from files to answers, with neither a study nor a screen. `edgewise.py` names them."""
