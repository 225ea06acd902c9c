"""Random diagrams drawn by real programs, Graphviz and Matplotlib. Part of the program diagram_makers.py."""

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
from diagram_layouts import (
    BLUE,
    GREEN,
    NAMES,
    RED,
    Edge,
    Node,
    Point,
    Truth,
    beside_tip,
    scattered,
    truth_of,
    wired,
    wrapped,
)
from layoutless import pymupdf
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

WIDE, HIGH = 700, 520  # points
SIZES = {"40/60": (40, 60)}
GRAPHVIZ = (
    *("dot filled", "dot dashed", "dot bare", "dot 40/60"),
    *("neato bare", "neato open", "neato hollow", "neato coloured"),
)
MATPLOTLIB = ("filled", "open", "dashed, coloured", "fancy")


def graphviz(style: str, seeds: range, path: Path) -> list[Truth]:
    """A PDF with a page per seed."""
    document, truths = pymupdf.open(), []
    for seed in seeds:
        page, truth = _drawn(style, random.Random(f"graphviz {style} {seed}"))
        document.insert_pdf(pymupdf.open(stream=page, filetype="pdf"))
        truths.append(truth)
    document.save(path)
    return truths


def _drawn(style: str, rng: random.Random) -> tuple[bytes, Truth]:
    """A PDF page and its edges; signs as head labels, a little off the head. Style: program and look."""
    program, _, look = style.partition(" ")
    names, pairs = _graph(rng, look)
    arrowhead = {"open": "vee", "hollow": "empty"}.get(look, "normal")
    signs = {pair: rng.choice("+-") for pair in sorted(pairs)}
    lines = [
        "digraph {",
        "overlap=false; splines=true;",
        f"node [shape={'plaintext' if look == 'bare' else 'ellipse'}];",
        f"edge [arrowhead={arrowhead}, labeldistance=1.8, labelangle=28];",
    ]
    for place, name in enumerate(names):
        label = "\\n".join(wrapped(name, 14))
        lines.append(f'n{place} [label="{label}"];')
    for (source, sink), sign in signs.items():
        colour = rng.choice(("blue", "red", "darkgreen")) if look == "coloured" else "black"
        dash = ",style=dashed" if look == "dashed" else ""
        lines.append(f'n{source} -> n{sink} [color={colour}{dash}, headlabel="{"−" if sign == "-" else "+"}"];')
    text = "\n".join([*lines, "}"])
    drawn = subprocess.run([program, "-Tpdf"], input=text.encode(), capture_output=True, check=True, timeout=60)
    truth = [{"source": names[a], "sink": names[b], "sign": sign, "delay": False} for (a, b), sign in signs.items()]
    return drawn.stdout, truth


def _graph(rng: random.Random, look: str) -> tuple[list[str], set[tuple[int, int]]]:
    """Names and pairs of them; some names cause themselves."""
    count, edges = SIZES.get(look, (rng.randint(7, 15), 0))
    names = rng.sample(NAMES, count)
    pairs: set[tuple[int, int]] = set()
    while len(pairs) < (edges or round(1.4 * count)):
        first, second = rng.sample(range(count), 2)
        pairs.add((first, second))
    if look not in SIZES:
        pairs |= {(place, place) for place in range(count) if rng.random() < 0.06}
    return names, pairs


def matplotlib(style: str, seeds: range, path: Path) -> list[Truth]:
    """A PDF with a page per seed. Its fonts are embedded once, in one of the two ways that Matplotlib knows."""
    truths = []
    with (
        mpl.rc_context({"pdf.fonttype": 42 if style in ("open", "fancy") else 3}),
        PdfPages(path) as pages,
    ):
        for seed in seeds:
            figure, truth = _page(style, random.Random(f"matplotlib {style} {seed}"))
            pages.savefig(figure)
            truths.append(truth)
    return truths


def _page(style: str, rng: random.Random) -> tuple[Figure, Truth]:
    """Annotations joined by FancyArrowPatch, as scripts in Python draw causal diagrams."""
    nodes = scattered(rng, rng.randint(6, 13), 10, "helv", (112, 78), 13)
    edges = wired(rng, nodes, _arc3, lambda: rng.choice((0, 0.2, -0.2, 0.3)), 8, signed=style != "fancy")
    figure = Figure(figsize=(WIDE / 72, HIGH / 72), dpi=72)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDE), ylim=(0, HIGH))
    axes.axis("off")
    frame = {"boxstyle": "round,pad=0.3", "fc": rng.choice(("white", "none")), "ec": "black", "lw": 0.8}
    if rng.random() < 0.5:
        frame = {"boxstyle": "square,pad=0.2", "fc": "none", "ec": "none"}
    texts = [
        axes.text(node.x, HIGH - node.y, "\n".join(node.lines), ha="center", va="center", fontsize=10, bbox=frame)
        for node in nodes
    ]
    figure.draw_without_rendering()  # the texts' frames, at which arrows end, get their places here
    for edge in edges:
        axes.add_artist(_arrow(edge, nodes, texts, style, rng))  # add_patch would look for limits, which are given
        if edge.sign:
            x, y = beside_tip(edge.points, 14, rng.choice((7, -7)))
            axes.text(x, HIGH - y, "−" if edge.sign == "-" else "+", ha="center", va="center", fontsize=10)
    return figure, truth_of(nodes, edges)


def _arrow(edge: Edge, nodes: list[Node], texts: list, style: str, rng: random.Random) -> FancyArrowPatch:
    source, sink = nodes[edge.source], nodes[edge.sink]
    kind = {"open": "->", "fancy": rng.choice(("simple", "fancy"))}.get(style, "-|>")
    colour = rng.choice((BLUE, RED, GREEN)) if "coloured" in style else "black"
    return FancyArrowPatch(
        (source.x, HIGH - source.y),
        (sink.x, HIGH - sink.y),
        patchA=texts[edge.source].get_bbox_patch(),
        patchB=texts[edge.sink].get_bbox_patch(),
        connectionstyle=f"arc3,rad={edge.bend}",
        arrowstyle=kind,
        mutation_scale=rng.choice((9, 12, 15)),
        linestyle="dashed" if "dashed" in style else "solid",
        color=colour,
        shrinkA=2,
        shrinkB=2,
    )


def _arc3(a: Node, b: Node, rad: float) -> Callable[[float], Point]:
    """Matplotlib's arc3 with y downwards: a quadratic curve through a point `rad` of the distance beside the middle."""
    x, y = (a.x + b.x) / 2 - rad * (b.y - a.y), (a.y + b.y) / 2 + rad * (b.x - a.x)
    return lambda t: (
        (1 - t) ** 2 * a.x + 2 * t * (1 - t) * x + t * t * b.x,
        (1 - t) ** 2 * a.y + 2 * t * (1 - t) * y + t * t * b.y,
    )
