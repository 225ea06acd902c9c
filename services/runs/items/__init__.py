"""Items of a run that have a graph: an answer that is one, and an answer to a query about one."""
