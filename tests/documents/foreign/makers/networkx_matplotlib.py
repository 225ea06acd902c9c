"""NetworkX figures by Matplotlib: draw(), draw_networkx() and their edge labels over the library's layouts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import networkx as nx
from content import Content, Diagram, label, wrapped
from matplotlib import pyplot as plt
from places import doubts, hidden
from recipes import Recipe, UnfitError

mpl.use("pdf")
RECIPES = [
    Recipe(
        content=Content(subjects=("energy",), names=9, edges=11),
        layout="spring_layout, draw_networkx with all defaults",
        seed=7102,
        look={"layout": "spring", "size": (10, 7), "near": 16},
    ),
    Recipe(
        content=Content(subjects=("public health",), names=12, edges=15, spelt="snake"),
        layout="kamada_kawai_layout, light discs",
        seed=7221,
        look={"layout": "kamada_kawai", "node_size": 1800, "node_color": "lightblue", "font_size": 9, "arrowsize": 14},
    ),
    Recipe(
        content=Content(subjects=("software",), names=9, edges=10, signed=1.0),
        layout="circular_layout, arcs (arc3, rad=0.12), signs as edge labels",
        seed=7300,
        look={
            "layout": "circular",
            "node_size": 1300,
            "node_color": "white",
            "edgecolors": "black",
            "font_size": 8,
            "connectionstyle": "arc3,rad=0.12",
            "size": (10, 8.5),
            "labels": True,
            "wrap": 10,
            "minus": "-",
        },
    ),
    Recipe(
        content=Content(subjects=("water",), names=13, edges=17, dashed=0.3),
        layout="kamada_kawai_layout, dots with labels above",
        seed=7406,
        look={"layout": "kamada_kawai", "node_size": 60, "node_color": "black", "font_size": 9, "above": 0.06},
    ),
    Recipe(
        content=Content(subjects=("security", "city"), names=12, edges=15),
        layout="circular_layout, straight edges, boxes as labels' bbox",
        seed=7500,
        look={
            "layout": "circular",
            "node_size": 2200,
            "node_color": "none",
            "font_size": 9,
            "box": True,
            "wrap": 9,
            "size": (10, 9),
            "arrowstyle": "->",
            "near": 18,
        },
    ),
    Recipe(
        content=Content(subjects=("fishery",), names=12, edges=15, signed=0.8, delayed=0.15, spelt="lower"),
        layout="shell_layout, discs with labels below, coloured edges",
        seed=7617,
        look={
            "layout": "shell",
            "node_size": 220,
            "font_size": 10,
            "above": -0.1,
            "labels": True,
            "colour": True,
            "width": 1.5,
            "node_color": "tab:orange",
        },
    ),
]
OURS = ("layout", "size", "labels", "wrap", "minus", "above", "box", "colour", "near")


def version() -> str:
    return f"NetworkX {nx.__version__}, Matplotlib {mpl.__version__}"


def make(one: Diagram, look: Mapping[str, Any], path: Path) -> None:
    graph = nx.DiGraph()
    shown = ["\n".join(wrapped(name, look.get("wrap", 99))) for name in one.names]
    graph.add_nodes_from(shown)
    pairs = [(edge.source, edge.sink) for edge in one.edges]
    graph.add_edges_from((shown[a], shown[b]) for a, b in pairs)
    by_pair = {(shown[edge.source], shown[edge.sink]): edge for edge in one.edges}
    places = _places(graph, look["layout"], one.seed)
    figure, axes = plt.subplots(figsize=look.get("size", (8.5, 6.2)))
    style = {key: value for key, value in look.items() if key not in OURS}
    style["style"] = ["dashed" if by_pair[pair].dashed else "solid" for pair in graph.edges]
    if look.get("colour"):
        style["edge_color"] = [{"+": "green", "-": "red", "": "gray"}[by_pair[pair].sign] for pair in graph.edges]
    if look.get("box"):
        style["bbox"] = {"facecolor": "lightyellow", "edgecolor": "black", "boxstyle": "round"}
    above = look.get("above")
    nx.draw_networkx(graph, places, ax=axes, with_labels=above is None, **style)
    if above is not None:
        beside = {
            name: (x, y + above * (max(y for _, y in places.values()) - min(y for _, y in places.values())) / 2)
            for name, (x, y) in places.items()
        }
        nx.draw_networkx_labels(graph, beside, font_size=look["font_size"], ax=axes)
    if look.get("labels"):
        texts = {pair: label(edge, look.get("minus", "−")) for pair, edge in by_pair.items() if label(edge)}
        bend = look.get("connectionstyle", "arc3")
        nx.draw_networkx_edge_labels(graph, places, texts, ax=axes, connectionstyle=bend, font_size=9)
    axes.margins(0.12)
    axes.axis("off")
    figure.savefig(path)
    shown_at = [axes.transData.transform(places[name]) * 72 / figure.dpi for name in shown]
    plt.close(figure)
    near = look.get("near", 8 + (look.get("node_size", 300) ** 0.5) / 2)
    downwards = [(float(x), -float(y)) for x, y in shown_at]
    if "connectionstyle" in look:
        count = hidden(downwards, pairs, [(19.0, 19.0)] * len(shown), -12)
    else:
        count = doubts(downwards, pairs, near, 5)
    if count:
        raise UnfitError(f"{count} lines run through a node or along each other")


def _places(graph: nx.DiGraph, layout: str, seed: int) -> dict[str, tuple[float, float]]:
    if layout == "spring":
        return nx.spring_layout(graph, seed=seed)
    return getattr(nx, f"{layout}_layout")(graph)
