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


DRAW, EDGE, LOOK, CHECK, POINT = "Draw", "The chosen or last edge", "Look around", "Check", "Mouse and touch"

CANVAS_KEYS = (
    CanvasKey(DRAW, "a k", "with hints on: draw an edge from the name coded a to the one coded k; a k - with a minus"),
    CanvasKey(
        DRAW,
        "Arrows",
        "to the next name in that direction",
        "step",
        ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"),
    ),
    CanvasKey(DRAW, "Enter", "pick it: first the source, then the sink", "pick", ("Enter", "Shift+Enter")),
    CanvasKey(DRAW, "/", "name box: find a name or make one", "find", ("/",)),
    CanvasKey(DRAW, "Backspace", "take back the typed code or the picked source", "takeBack", ("Backspace",)),
    CanvasKey(DRAW, "Esc", "put away what is picked, chosen or open", "cancel", ("Escape",)),
    CanvasKey(DRAW, "L", "draw an edge from the name to itself", "loop", ("L",)),
    CanvasKey(DRAW, "M", "place or move the name: arrows, then Enter", "move", ("M",)),
    CanvasKey(DRAW, "R", "rename it", "rename", ("R", "F2")),
    CanvasKey(DRAW, "Delete", "remove the chosen edge or name", "remove", ("Delete",)),
    CanvasKey(DRAW, "Ctrl Z", "undo", "undo", ("Ctrl+z",)),
    CanvasKey(DRAW, "Ctrl Shift Z, Ctrl Y", "redo", "redo", ("Ctrl+Shift+z", "Ctrl+y")),
    CanvasKey(
        EDGE,
        "+ − 0",
        "sign: plus, minus, not known; before the sink is picked it goes with the edge",
        "sign",
        ("+", "=", "-", "−", "0"),
    ),
    CanvasKey(EDGE, "d", "delay mark on or off", "delay", ("d", "D")),
    CanvasKey(EDGE, "G", "next flag", "flag", ("G",)),
    CanvasKey(EDGE, "V", "reverse it; of a lit proposal: accept it the other way round", "reverse", ("V",)),
    CanvasKey(
        EDGE,
        "< >",
        "another source, another sink; a lit proposal is accepted with it and keeps its course",
        "retype",
        ("<", ",", ">", "."),
    ),
    CanvasKey(EDGE, "E", "next edge of the name, or of the figure", "nextEdge", ("E",)),
    CanvasKey(LOOK, "H", "hints: a short code beside every name, on or off; they end with the figure", "hints", ("H",)),
    CanvasKey(LOOK, "N", "only this name and its edges, on or off", "focus", ("N",)),
    CanvasKey(LOOK, "I O F", "zoom in, zoom out, fit", "zoom", ("I", "O", "F")),
    CanvasKey(
        LOOK,
        "Shift Arrows",
        "move the figure",
        "pan",
        ("Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"),
    ),
    CanvasKey(LOOK, "W", "write edges in the line beside the figure; Esc there leads back", "toLine", ("W",)),
    CanvasKey(LOOK, "?", "this sheet", "help", ("?",)),
    CanvasKey(CHECK, "P", "next proposal, doubtful ones first", "nextProposal", ("P",)),
    CanvasKey(CHECK, "y or Enter", "accept the lit proposal", "accept", ("y",)),
    CanvasKey(CHECK, "x", "refuse the lit proposal", "refuse", ("x", "X")),
    CanvasKey(CHECK, "Y", "accept all certain proposals", "acceptCertain", ("Y",)),
    CanvasKey(
        CHECK,
        "S",
        "sweep: step through the names, then the texts no node uses; again: leave this for later",
        "sweep",
        ("S",),
    ),
    CanvasKey(CHECK, "T", "no more edges go out from this name; of a printed text: not a variable", "tick", ("T",)),
    CanvasKey(CHECK, "Enter", "in the sweep: make the printed text a node"),
    CanvasKey(POINT, "click, click", "source, then sink; Shift with the sink keeps the source"),
    CanvasKey(POINT, "drag", "from source to sink; on bare ground: move the figure"),
    CanvasKey(POINT, "Shift click", "take a printed name without drawing from it"),
    CanvasKey(POINT, "click bare ground", "write a name there (double click where printed names are offered)"),
    CanvasKey(POINT, "drag a ring", "the chosen edge or lit proposal gets that end at another name"),
    CanvasKey(POINT, "Alt drag", "move a name"),
    CanvasKey(POINT, "wheel, pinch", "zoom"),
    CanvasKey(POINT, "right click, long press", "menu of a name"),
)

SMALL_LETTERS = "Small letters do the same as capitals (except y). Codes use no letter that is a key here."
