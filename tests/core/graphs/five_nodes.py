"""The published example of appendix B (CausalGraph2LLM): five nodes and ten edges, in its order of edges."""

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph

PAIRS = ("01", "02", "13", "23", "24", "34", "03", "14", "04", "12")
FIVE = CausalGraph.of([Edge(*pair) for pair in PAIRS], nodes="01234")
