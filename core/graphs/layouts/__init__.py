"""Layouts of graphs: new, incremental, and fitted labels."""
