"""Run form and preview of queries about graphs (CausalGraph2LLM)."""

from __future__ import annotations

from pages import BenchmarkPages
from pages.protocols.causalgraph2llm import graph_preview, graphs, query_item

PAGES = BenchmarkPages(forms={"graphs": graphs.GRAPHS}, item_view=query_item.show, preview=graph_preview.show)
