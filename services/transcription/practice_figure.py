"""The practice figure: its page, its known answer and the printed place of each arrow, and its rows in a study."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import StoreUnavailable
from core.graphs.edge import Edge
from core.graphs.graph import CausalGraph
from core.papers.pages import Box
from core.sign import parse_edge_sign
from core.transcription.practice import PracticeFinding
from services.acting import Writing
from store.files import sha256_of
from store.papers.papers import TRAINING_IDS
from store.tables import FigureRow, FileRow, PaperRow

FOLDER = Path(__file__).resolve().parents[2] / "demo" / "practice"


@dataclass(frozen=True, kw_only=True)
class TrainingFigure:
    number: int
    title: str
    graph: CausalGraph
    node_boxes: dict[str, Box]  # in points of its page, as `edge_boxes`
    edge_boxes: dict[tuple[str, str], Box]
    box: Box
    record: dict[str, Any]

    @property
    def id(self) -> str:
        """Id of its paper's row and of its figure's row."""
        return f"{TRAINING_IDS}{self.number}"

    def place_of(self, finding: PracticeFinding) -> Box | None:
        """Return the printed arrow or name of a finding, else the box around its two names; None if none is printed."""
        if finding.name is not None:
            return self.node_boxes.get(finding.name)
        if finding.pair is None:
            return None
        printed = self.edge_boxes.get(finding.pair)
        ends = [self.node_boxes[name] for name in finding.pair if name in self.node_boxes]
        if printed is not None or not ends:
            return printed
        return Box(
            min(box.x0 for box in ends),
            min(box.y0 for box in ends),
            max(box.x1 for box in ends),
            max(box.y1 for box in ends),
        )


@cache
def training_figure() -> TrainingFigure:
    """Return the shipped figure. Raises StoreUnavailable if its files are missing from this installation."""
    try:
        record = json.loads((FOLDER / "training.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise StoreUnavailable(f"The practice diagram is missing from this installation: {error.strerror}.") from error
    graph, places = record["graph"], record["places"]
    edges = [Edge(e["source"], e["sink"], parse_edge_sign(e["sign"]), e["delay"]) for e in graph["edges"]]
    return TrainingFigure(
        number=record["number"],
        title=record["title"],
        graph=CausalGraph.of(edges, graph["nodes"]),
        node_boxes={name: Box(*box) for name, box in zip(graph["nodes"], places["nodes"], strict=True)},
        edge_boxes={edge.pair: Box(*box) for edge, box in zip(edges, places["edges"], strict=True)},
        box=Box(*record["figure"]["box"]),
        record=record,
    )


def ensure_figure(w: Writing) -> str:
    """Return the figure's id; insert the figure, its paper and file if the study has none, archived from the start."""
    shipped = training_figure()
    if w.session.get(FigureRow, shipped.id) is not None:
        return shipped.id
    record, figure = shipped.record, shipped.record["figure"]
    content = (FOLDER / record["file"]).read_bytes()
    file = FileRow(
        sha256=sha256_of(content),
        media_type="application/pdf",
        size_bytes=len(content),
        original_name=record["file"],
        created_at=w.now,
    )
    stored_file = w.study.shelf.put(w.session, file, content)
    w.session.add(
        PaperRow(
            id=shipped.id,
            title=shipped.title,
            source="Edgewise",
            licence=record["licence"],
            file_sha256=stored_file.sha256,
            created_by=w.viewer.person_id,
            created_at=w.now,
            archived_at=w.now,
        )
    )
    w.session.flush()
    box = shipped.box
    w.session.add(
        FigureRow(
            id=shipped.id,
            paper_id=shipped.id,
            page=figure["page"],
            x0=box.x0,
            y0=box.y0,
            x1=box.x1,
            y1=box.y1,
            place="Practice diagram",
            label="Practice diagram",
            caption=figure["caption"],
            created_by=w.viewer.person_id,
            created_at=w.now,
            archived_at=w.now,
        )
    )
    w.session.flush()
    return shipped.id
