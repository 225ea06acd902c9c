"""Run form and preview of queries about graphs (CausalGraph2LLM)."""

from __future__ import annotations

from pages import BenchmarkPages
from pages.protocols.causalgraph2llm import graph_preview, graphs, query_item

PAGES = BenchmarkPages(
    asks="Queries about a given graph, such as the parents of a node, in seven encodings.",
    forms={"graphs": graphs.GRAPHS},
    item_view=query_item.show,
    preview=graph_preview.show,
)
