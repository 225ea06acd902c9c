"""ReCITE's public tables: responses and evaluations from files become runs, and runs are written as files."""
