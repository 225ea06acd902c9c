"""Graphs on the overview: imports, random graphs and their settings."""

from __future__ import annotations

from services.overview_contributions import OverviewPart

WORDS = {
    "graph.align": "aligned names of 2 graphs",
    "graph.archive": "archived a graph",
    "graph.restore": "restored a graph",
    "graph.generate": "generated a random graph",
    "graph.open": "opened a model's answer as a graph",
    "blindness.settings": "changed which imported graphs annotators see",
    "study.import": "imported graphs",
    "table.import": "imported a table of samples",
    "table.licence": "changed the licence of a table of samples",
    "table.archive": "archived a table of samples",
    "table.restore": "restored a table of samples",
}
_EXPOSURE = "kept to know who works blind; it tells what someone read"
PRIVATE = {
    "graph.import": "one of many: the import tells it once",
    "figure.look": _EXPOSURE,
    "graph.look": _EXPOSURE,
}
OVERVIEW = OverviewPart(WORDS, PRIVATE)
