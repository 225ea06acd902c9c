"""igraph figures (python-igraph, its cairo backend): discs with their labels inside, below or beside, drawn by plot()."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cairocffi
import igraph
from content import Content, Diagram, label, wrapped
from places import doubts
from recipes import Recipe, UnfitError

BELOW = math.pi / 2
RECIPES = [
    Recipe(
        content=Content(subjects=("farming",), names=11, edges=14),
        layout="Kamada-Kawai, all defaults: labels in the middle of discs",
        seed=6100,
        look={"layout": "kk", "box": (640, 500)},
    ),
    Recipe(
        content=Content(subjects=("economy",), names=13, edges=17, signed=0.8),
        layout="Fruchterman-Reingold, discs with labels above",
        seed=6203,
        look={
            "layout": "fr",
            "vertex_size": 18,
            "vertex_label_dist": 1.6,
            "vertex_label_angle": BELOW,
            "vertex_color": "lightblue",
            "vertex_label_size": 12,
            "signs": True,
        },
    ),
    Recipe(
        content=Content(subjects=("epidemic",), names=12, edges=15, spelt="lower", mutual=1),
        layout="circle, small discs, labels outside, curved edges",
        seed=6303,
        look={
            "layout": "circle",
            "vertex_size": 14,
            "around": True,
            "vertex_label_size": 11,
            "edge_curved": 0.15,
            "edge_color": "gray40",
            "margin": 120,
            "near": 12,
        },
    ),
    Recipe(
        content=Content(subjects=("city",), names=12, edges=15, tree=True),
        layout="Sugiyama, rectangles",
        seed=6410,
        look={
            "layout": "sugiyama",
            "vertex_shape": "rectangle",
            "vertex_size": 60,
            "vertex_color": "white",
            "vertex_label_size": 11,
            "edge_width": 1,
            "wrap": 9,
            "edge_arrow_size": 0.9,
            "near": 42,
        },
    ),
    Recipe(
        content=Content(subjects=("climate", "water"), names=18, edges=23, signed=0.7),
        layout="Kamada-Kawai, small discs with labels below, coloured by sign",
        seed=6500,
        look={
            "layout": "kk",
            "vertex_size": 10,
            "vertex_label_dist": 1.8,
            "vertex_label_angle": -BELOW,
            "vertex_color": "black",
            "vertex_label_size": 11,
            "colour": True,
            "signs": False,
        },
    ),
    Recipe(
        content=Content(subjects=("platform",), names=11, edges=14),
        layout="Kamada-Kawai, large white circles, curved edges",
        seed=6602,
        look={
            "layout": "kk",
            "vertex_size": 70,
            "vertex_color": "white",
            "vertex_label_size": 11,
            "wrap": 9,
            "edge_curved": 0.2,
            "edge_arrow_width": 1.5,
            "near": 44,
            "margin": 70,
        },
    ),
    Recipe(
        content=Content(subjects=("fishery", "economy"), names=26, edges=32),
        layout="Kamada-Kawai, large, small discs with labels above, thin edges",
        seed=6700,
        look={
            "layout": "kk",
            "vertex_size": 9,
            "vertex_label_dist": 1.8,
            "vertex_label_angle": BELOW,
            "edge_width": 0.8,
            "vertex_label_size": 10,
            "edge_arrow_size": 0.7,
            "box": (1000, 760),
            "vertex_color": "orange",
            "near": 12,
        },
    ),
]
LAYOUTS = {
    "kk": "layout_kamada_kawai",
    "fr": "layout_fruchterman_reingold",
    "circle": "layout_circle",
    "sugiyama": "layout_sugiyama",
}
OURS = ("layout", "box", "around", "signs", "colour", "wrap", "near", "margin")


def version() -> str:
    return f"python-igraph {igraph.__version__}, cairo {cairocffi.cairo_version_string()}"


def make(one: Diagram, look: Mapping[str, Any], path: Path) -> None:
    random.seed(one.seed)
    pairs = [(edge.source, edge.sink) for edge in one.edges]
    graph = igraph.Graph(len(one.names), pairs, directed=True)
    graph.vs["label"] = ["\n".join(wrapped(name, look.get("wrap", 99))) for name in one.names]
    layout = getattr(graph, LAYOUTS[look["layout"]])()
    layout = igraph.Layout(layout.coords[: len(one.names)])
    style = {key: value for key, value in look.items() if key not in OURS}
    if look.get("signs"):
        style |= {"edge_label": [label(edge) for edge in one.edges], "edge_label_size": 12}
    if look.get("colour"):
        style["edge_color"] = [{"+": "#1b7837", "-": "#b2182b", "": "#777777"}[edge.sign] for edge in one.edges]
    if look.get("around"):
        count = len(one.names)
        style |= {
            "vertex_label_angle": [-2 * math.pi * place / count for place in range(count)],
            "vertex_label_dist": 3.5,
        }
    box = look.get("box", (760, 560))
    margin = look.get("margin", 60)
    igraph.plot(graph, target=str(path), layout=layout, bbox=box, margin=margin, **style)
    fitted = igraph.Layout(layout.coords)
    fitted.fit_into((margin, margin, box[0] - margin, box[1] - margin))
    count = doubts(fitted.coords, pairs, look.get("near", 20), 5)
    if count:
        raise UnfitError(f"{count} lines run through a disc or along each other")
