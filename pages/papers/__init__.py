"""Papers: adding, screening, locating figures."""
