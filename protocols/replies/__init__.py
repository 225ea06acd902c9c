"""The only parser of models' replies. One reader for each form: a label, JSON objects, a text between tags."""
