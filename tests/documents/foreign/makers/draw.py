"""LibreOffice Draw figures, made through its own UNO interface and printed by it: shapes joined by its connectors,
which choose their own glue points, and whose text is the edge's sign."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import office
from content import Content, Diagram, label
from places import by_hand, hidden
from powerpoint import meeting
from recipes import Recipe, UnfitError

RECIPES = [
    Recipe(
        content=Content(subjects=("farming",), names=11, edges=14),
        layout="placed by hand, Draw's blue boxes, line connectors",
        seed=10100,
        look={"columns": 4, "step": (6.4, 4.0), "size": (4.4, 1.5), "kind": "LINE"},
    ),
    Recipe(
        content=Content(subjects=("fishery",), names=12, edges=15, signed=1.0),
        layout="placed by hand, ellipses, line connectors, signs as the connectors' text",
        seed=10203,
        look={
            "columns": 4,
            "step": (6.6, 4.2),
            "size": (4.8, 1.9),
            "kind": "LINE",
            "shape": "Ellipse",
            "fill": 0xFFFFFF,
            "width": 20,
        },
    ),
    Recipe(
        content=Content(subjects=("platform",), names=10, edges=10),
        layout="placed by hand, boxes, standard (elbow) connectors",
        seed=10300,
        look={"columns": 4, "step": (6.8, 4.4), "size": (4.2, 1.5), "kind": "STANDARD", "fill": 0xFFFFCC, "width": 35},
    ),
    Recipe(
        content=Content(subjects=("school",), names=11, edges=13, dashed=0.3),
        layout="placed by hand, rounded boxes, curved connectors",
        seed=10415,
        look={
            "columns": 4,
            "step": (6.8, 4.4),
            "size": (4.2, 1.6),
            "kind": "CURVE",
            "round": 400,
            "fill": 0xDEE6EF,
            "width": 30,
        },
    ),
    Recipe(
        content=Content(
            subjects=("hospital",), names=12, edges=15, signed=0.7, delayed=0.15, groups=("Clinic", "Town")
        ),
        layout="placed by hand in two dashed frames, boxes, line connectors",
        seed=10506,
        look={"columns": 4, "step": (6.8, 4.2), "size": (4.4, 1.5), "kind": "LINE", "fill": 0xFFFFFF, "width": 20},
    ),
    Recipe(
        content=Content(subjects=("climate",), names=12, edges=15, signed=0.8),
        layout="placed by hand, bare text, coloured line connectors with concave heads",
        seed=10600,
        look={
            "columns": 4,
            "step": (6.6, 3.8),
            "size": (4.6, 1.2),
            "kind": "LINE",
            "shape": "Text",
            "colour": True,
            "head": "Concave short",
            "width": 50,
        },
    ),
]
TOP, LEFT = 2.2, 3.4
PAINTS = {"+": 0x127622, "-": 0xC9211E, "": 0x333333}


def version() -> str:
    return office.version().replace("LibreOffice", "LibreOffice Draw")


def make(one: Diagram, look: Mapping[str, Any], path: Path) -> None:
    wide, high = look["size"]
    places = by_hand(one, look["columns"], look["step"], jitter=0.08, rounds=2500)
    places = [(x + LEFT, y + TOP) for x, y in places]
    pairs = [(edge.source, edge.sink) for edge in one.edges]
    is_line = look["kind"] == "LINE"
    bad = (
        hidden(places, pairs, [(wide / 2 + 0.1, high / 2 + 0.1)] * len(places))
        if is_line
        else meeting(places, one.edges)
    )
    if bad:
        raise UnfitError(f"{bad} lines run through a shape or along each other")
    frames = []
    for name, members in one.groups.items():
        xs, ys = [places[member][0] for member in members], [places[member][1] for member in members]
        frames.append(
            [
                name,
                min(xs) - wide / 2 - 0.4,
                min(ys) - high / 2 - 0.9,
                max(xs) + wide / 2 + 0.4,
                max(ys) + high / 2 + 0.3,
            ]
        )
    edges = [
        [edge.source, edge.sink, label(edge), edge.dashed, PAINTS[edge.sign] if look.get("colour") else None]
        for edge in one.edges
    ]
    given = {
        "names": one.names,
        "places": places,
        "edges": edges,
        "frames": frames,
        "look": dict(look),
        "page": [max(x for x, _ in places) + LEFT, max(y for _, y in places) + TOP],
        "profile": office.PROFILE,
        "path": str(path.resolve()),
    }
    program = [office.SYSTEM_PYTHON, Path(__file__).with_name("draw_uno.py")]
    subprocess.run(program, input=json.dumps(given), text=True, check=True, capture_output=True, timeout=120)
