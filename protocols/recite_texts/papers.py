"""Papers of these steps: blocks of the file, current text, ground truth."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.texts.changes import LARGEST_SHARE
from core.texts.sections import BODY_KINDS, BlockKind, Sorted, TextBlock
from core.texts.word_loss import INVENTED_SHARE, LOST_SHARE

USUAL_SHARES: Mapping[str, float] = MappingProxyType(
    {"lost_share": LOST_SHARE, "invented_share": INVENTED_SHARE, "largest_share": LARGEST_SHARE}
)
NO_LAYER = "This file has no text layer; its text cannot be made. Attach the PDF of the publisher."


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSourcePaper:
    """A paper with a figure."""

    key: str  # its name in a run
    title: str
    paper: str  # id in this study; likewise `figure`
    figure: str
    file: str
    blocks: tuple[Sorted, ...]  # of its file, in reading order, with their kinds
    captions: tuple[str, ...] = ()  # of the figure, as printed
    text: str | None = None  # its newest Markdown
    no_text: str = ""  # why there is no text
    graph: CausalGraph | None = None  # the figure's finished ground truth
    graph_hash: str = ""  # SHA-256
    no_graph: str = ""  # why there is no graph
    reply_tokens: int | None = None  # longest reply of the models asked for Markdown; None if unlimited
    no_blocks: str = ""  # why there are no blocks
    # The study's limits on lost and invented words, and on what a round may remove
    shares: Mapping[str, float] = field(default_factory=lambda: USUAL_SHARES)

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "title": self.title,
            "paper": self.paper,
            "figure": self.figure,
            "file": self.file,
            "blocks": [[each.block.page, each.kind.value, each.block.text] for each in self.blocks],
            "captions": list(self.captions),
            "text": self.text,
            "no_text": self.no_text,
            "graph": None if self.graph is None else graph_json(self.graph),
            "graph_hash": self.graph_hash,
            "no_graph": self.no_graph,
            "reply_tokens": self.reply_tokens,
            "no_blocks": self.no_blocks,
            "shares": dict(self.shares),
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> TextSourcePaper:
        blocks = tuple(Sorted(TextBlock(page, text), BlockKind(kind)) for page, kind, text in content["blocks"])
        graph = None if content["graph"] is None else graph_of(content["graph"])
        return cls(**{**content, "blocks": blocks, "captions": tuple(content["captions"]), "graph": graph})

    @property
    def content(self) -> dict[str, Any]:
        """All that a step depends on, so without ids of this study."""
        return {
            name: value for name, value in self.as_json().items() if name not in ("key", "title", "paper", "figure")
        }

    @property
    def has_words(self) -> bool:
        return any(each.kind in BODY_KINDS and each.block.text.strip() for each in self.blocks)


def graph_json(graph: CausalGraph) -> dict[str, Any]:
    """Return nodes and edges by name, without signs."""
    return {"nodes": list(graph.nodes), "edges": [[edge.source, edge.sink] for edge in graph.edges]}


def graph_of(content: Mapping[str, Any]) -> CausalGraph:
    return CausalGraph.of((Edge(source, sink) for source, sink in content["edges"]), content["nodes"])


def graph_words(content: Mapping[str, Any]) -> str:
    """Return a graph as a model sees it, in the form of ReCITE's answers, with the nodes first."""
    links = [{"source": source, "sink": sink} for source, sink in content["edges"]]
    return json.dumps({"nodes": content["nodes"], "relationships": links}, ensure_ascii=False, indent=1)


def text_sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
