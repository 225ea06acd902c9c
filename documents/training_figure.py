"""Draw the training figure: `python -m documents.training_figure FOLDER` writes training.pdf and training.json.

The small figure, Edgewise's own, contains the usual sources of errors: names on two lines, a pair of arrows between two
variables, a minus, a bare arrow, a delay. It takes few acts, because everyone draws it before a first figure. As with
the demonstration papers, the output is the same every time.
A changed figure needs a new NUMBER: then earlier trainings refer to an earlier version, and stay valid."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from documents.demo_papers import DemoEdge, DemoNode, DemoPaper
from documents.draw import draw_paper, label_box
from documents.proposals.diagrams import arrow_between
from documents.rects import Rect

NUMBER = 2
ROOM = 8.0  # points of space around an arrow's box, so that it is easy to see

BAKERY = DemoPaper(
    slug="training",
    title="Training: the queue at a bakery",
    year=2025,
    abstract=(
        "This diagram is for practice. The bakery is invented, and the right transcription is known: draw what is "
        "printed, check it, correct what the check shows, and check again. It counts for nothing else."
    ),
    sections=(
        (
            "What is in it",
            (
                "Four variables and four arrows. A name on two lines is one name. Two variables act on each other, by "
                "two arrows. Three arrows carry a sign at their heads; the fourth has none, and two short strokes "
                "across it mark a delay.",
            ),
        ),
    ),
    caption="Figure 1. Why the queue at a bakery grows and shrinks. Two strokes across an arrow mark a delay.",
    look="plain",
    size=(300, 190),
    nodes=(
        DemoNode(("Bread", "quality"), 45, 45),
        DemoNode(("Customers", "per day"), 235, 45),
        DemoNode(("Waiting", "in line"), 235, 160),
        DemoNode(("Price of flour",), 55, 160),
    ),
    edges=(
        DemoEdge(source=0, sink=1, sign="+", bend=-0.12),
        DemoEdge(source=3, sink=0, sign="", delay=True, bend=-0.2),
        DemoEdge(source=2, sink=1, sign="-", bend=0.2),
        DemoEdge(source=1, sink=2, sign="+", bend=0.2),
    ),
    figure_after=0,
)


def draw_training(folder: Path) -> None:
    content, record = draw_paper(BAKERY)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / record["file"]).write_bytes(content)
    left, top, _, _ = record["figure"]["box"]
    boxes = [label_box(node.lines, left + node.x, top + node.y, BAKERY.look) for node in BAKERY.nodes]
    arrows = [_around(boxes[edge.source], boxes[edge.sink], edge) for edge in BAKERY.edges]
    # In the order of the graph: x0, y0, x1, y1 in points.
    places = {"nodes": [_rounded(each) for each in boxes], "edges": [_rounded(each) for each in arrows]}
    true = {"number": NUMBER, **record, "places": places}
    (folder / "training.json").write_text(json.dumps(true, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _around(source: Rect, sink: Rect, edge: DemoEdge) -> Rect:
    arrow = arrow_between(source, sink, edge.bend, edge.shift)
    points = [arrow.at(step / 20) for step in range(21)]
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across) - ROOM, min(down) - ROOM, max(across) + ROOM, max(down) + ROOM


def _rounded(box: Rect) -> list[float]:
    return [round(value, 1) for value in box]


if __name__ == "__main__":
    draw_training(Path(sys.argv[1]))
