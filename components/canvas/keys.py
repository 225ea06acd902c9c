"""The keys of the transcription canvas: one table for the `?` sheet, for what a press does, and for the guide."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CanvasKey:
    """`keys` as shown to a person, `does` in words; `deed` is what canvas_deeds.js calls it, `presses` what does it.

    A press is a browser's key name with "Ctrl+" and "Shift+" in front (letters: Shift shows as the capital). A deed
    without presses is done with the pointer or by typing codes.
    """

    section: str
    keys: str
    does: str
    deed: str = ""
    presses: tuple[str, ...] = ()


DRAW, EDGE, LOOK, CHECK, POINT = "Draw", "Chosen or last edge", "View", "Proposals and sweep", "Mouse and touch"

CANVAS_KEYS = (
    CanvasKey(
        DRAW, "a k", "with hints on: draw an edge from the node with code a to the node with code k; a k - adds a minus"
    ),
    CanvasKey(
        DRAW,
        "Arrows",
        "go to the next node in that direction",
        "step",
        ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"),
    ),
    CanvasKey(DRAW, "Enter", "choose the node: first the source, then the sink", "pick", ("Enter", "Shift+Enter")),
    CanvasKey(DRAW, "/", "find a node or make one", "find", ("/",)),
    CanvasKey(DRAW, "Backspace", "clear the typed code or the chosen source", "takeBack", ("Backspace",)),
    CanvasKey(DRAW, "Esc", "cancel, deselect or close", "cancel", ("Escape",)),
    CanvasKey(DRAW, "L", "draw an edge from the node to itself", "loop", ("L",)),
    CanvasKey(DRAW, "M", "place or move the node: arrow keys, then Enter", "move", ("M",)),
    CanvasKey(DRAW, "R", "rename the node", "rename", ("R", "F2")),
    CanvasKey(DRAW, "Delete", "remove the chosen edge or node", "remove", ("Delete",)),
    CanvasKey(DRAW, "Ctrl Z", "undo", "undo", ("Ctrl+z",)),
    CanvasKey(DRAW, "Ctrl Shift Z, Ctrl Y", "redo", "redo", ("Ctrl+Shift+z", "Ctrl+y")),
    CanvasKey(
        EDGE,
        "+ − 0",
        "sign: plus, minus, not printed; before the sink is chosen, for the new edge",
        "sign",
        ("+", "=", "-", "−", "0"),
    ),
    CanvasKey(EDGE, "d", "delay mark on or off", "delay", ("d", "D")),
    CanvasKey(EDGE, "G", "next flag", "flag", ("G",)),
    CanvasKey(EDGE, "V", "reverse the edge; with a proposal: accept it reversed", "reverse", ("V",)),
    CanvasKey(
        EDGE,
        "< >",
        "change the source, change the sink; a proposal is accepted with the change",
        "retype",
        ("<", ",", ">", "."),
    ),
    CanvasKey(EDGE, "E", "next edge of the node, or of the figure", "nextEdge", ("E",)),
    CanvasKey(LOOK, "H", "hints on or off: a short code beside every node, for this figure", "hints", ("H",)),
    CanvasKey(LOOK, "N", "only this node and its edges, on or off", "focus", ("N",)),
    CanvasKey(LOOK, "I O F", "zoom in, zoom out, fit", "zoom", ("I", "O", "F")),
    CanvasKey(
        LOOK,
        "Shift Arrows",
        "move the figure",
        "pan",
        ("Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"),
    ),
    CanvasKey(LOOK, "W", "type edges in the entry line; Esc returns to the figure", "toLine", ("W",)),
    CanvasKey(LOOK, "?", "show all keys", "help", ("?",)),
    CanvasKey(CHECK, "P", "next proposal, doubtful ones first", "nextProposal", ("P",)),
    CanvasKey(CHECK, "y or Enter", "accept the proposal", "accept", ("y",)),
    CanvasKey(CHECK, "x", "reject the proposal", "refuse", ("x", "X")),
    CanvasKey(CHECK, "Y", "accept all certain proposals", "acceptCertain", ("Y",)),
    CanvasKey(
        CHECK,
        "S",
        "sweep: go through the nodes, then the unused printed texts; again: skip to the next",
        "sweep",
        ("S",),
    ),
    CanvasKey(CHECK, "T", "mark the node as swept; with a printed text: not a variable", "tick", ("T",)),
    CanvasKey(CHECK, "Enter", "in the sweep: make the printed text a node"),
    CanvasKey(POINT, "click, click", "source, then sink; Shift with the sink keeps the source"),
    CanvasKey(POINT, "drag", "draw from source to sink; on empty space: move the figure"),
    CanvasKey(POINT, "Shift click", "make a printed name a node without an edge"),
    CanvasKey(POINT, "click empty space", "make a node there (double click if printed names are shown)"),
    CanvasKey(POINT, "drag a ring", "move that end of the edge or proposal to another node"),
    CanvasKey(POINT, "Alt drag", "move a node"),
    CanvasKey(POINT, "wheel, pinch", "zoom"),
    CanvasKey(POINT, "right click, long press", "menu of a node"),
)

SMALL_LETTERS = "Small letters work like capitals, except y. Codes use no letter that is a key here."
