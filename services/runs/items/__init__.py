"""Items of a run: answers that are a graph, answers to a query about one, and all of them as columns of tables."""
