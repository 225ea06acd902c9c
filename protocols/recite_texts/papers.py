"""A paper as these steps take it: the blocks of its file, the text that it has by now, and its ground truth."""

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
from core.texts.kept_words import INVENTED_SHARE, LOST_SHARE
from core.texts.sections import KEPT, Block, Kind, Sorted

USUAL_SHARES: Mapping[str, float] = MappingProxyType(
    {"lost_share": LOST_SHARE, "invented_share": INVENTED_SHARE, "largest_share": LARGEST_SHARE}
)
NO_LAYER = "This file has no text layer; its text cannot be made. Attach the PDF of the publisher."


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePaper:
    """A paper with a figure. `key`: what the paper is called in a run; `paper`, `figure`: ids of this study.

    `blocks`: of its file, in the order of reading, each with its kind, none for the reason in `no_blocks`; `captions`:
    of the figure, as printed. `text`: its newest Markdown, None for the reason in `no_text`. `graph`: the figure's
    finished ground truth, None for the reason in `no_graph`; `graph_hash`: SHA-256 of it. `reply_tokens`: the longest
    reply of the models that are asked for Markdown, None where nothing bounds it. `shares`: what a text may lose and
    invent, and what a round may take out, as the study says."""

    key: str
    title: str
    paper: str
    figure: str
    file: str
    blocks: tuple[Sorted, ...]
    captions: tuple[str, ...] = ()
    text: str | None = None
    no_text: str = ""
    graph: CausalGraph | None = None
    graph_hash: str = ""
    no_graph: str = ""
    reply_tokens: int | None = None
    no_blocks: str = ""
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
    def from_json(cls, said: Mapping[str, Any]) -> SourcePaper:
        blocks = tuple(Sorted(Block(page, text), Kind(kind)) for page, kind, text in said["blocks"])
        graph = None if said["graph"] is None else graph_of(said["graph"])
        return cls(**{**said, "blocks": blocks, "captions": tuple(said["captions"]), "graph": graph})

    @property
    def content(self) -> dict[str, Any]:
        """All that a step depends on: without ids of this study."""
        return {
            name: value for name, value in self.as_json().items() if name not in ("key", "title", "paper", "figure")
        }

    @property
    def has_words(self) -> bool:
        return any(each.kind in KEPT and each.block.text.strip() for each in self.blocks)


def graph_json(graph: CausalGraph) -> dict[str, Any]:
    """Nodes and edges by name; signs are no part of it."""
    return {"nodes": list(graph.nodes), "edges": [[edge.source, edge.sink] for edge in graph.edges]}


def graph_of(said: Mapping[str, Any]) -> CausalGraph:
    return CausalGraph.of((Edge(source, sink) for source, sink in said["edges"]), said["nodes"])


def graph_words(said: Mapping[str, Any]) -> str:
    """A graph as a model is shown it, in the form in which ReCITE has models answer, with the nodes in front."""
    links = [{"source": source, "sink": sink} for source, sink in said["edges"]]
    return json.dumps({"nodes": said["nodes"], "relationships": links}, ensure_ascii=False, indent=1)


def text_sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
