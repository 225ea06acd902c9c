"""Models' replies, read: the only parser of them. One reader a form: a label, a JSON object, a tagged answer."""
