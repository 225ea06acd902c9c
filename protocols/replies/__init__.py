"""The only parser of models' replies. One reader for each form: a label, a JSON object or a list of them."""
