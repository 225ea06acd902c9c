"""Papers: their files, pages and figures."""
