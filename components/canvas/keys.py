"""Keys of the transcription canvas: one table for the `?` sheet, the handling of a press, and the guide."""

from __future__ import annotations

from components.desk.key_table import DeskKey, KeyTable

DRAW, EDGE, LOOK, CHECK, POINT = "Draw", "Selected edge", "View", "Proposals and sweep", "Mouse and touch"

_KEYS = (
    DeskKey(
        DRAW, "a k", "with hints on: draw an edge from the node with code a to the node with code k; a k - adds a minus"
    ),
    DeskKey(
        DRAW,
        "Arrow keys",
        "go to the next node in that direction",
        "step",
        ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"),
        repeats=True,
    ),
    DeskKey(DRAW, "Enter", "choose the node: first as source, then as sink", "pick", ("Enter", "Shift+Enter")),
    DeskKey(DRAW, "/", "find a node or make one", "find", ("/",)),
    DeskKey(DRAW, "Backspace", "clear the typed code or the chosen source", "takeBack", ("Backspace",)),
    DeskKey(DRAW, "Esc", "cancel, deselect or close", "cancel", ("Escape",)),
    DeskKey(DRAW, "L", "draw an edge from the node to itself", "loop", ("L", "l")),
    DeskKey(DRAW, "m", "place or move the node: arrow keys, then Enter", "move", ("m",)),
    DeskKey(
        DRAW,
        "r",
        "rename the node; correct the name of a printed text, which becomes a node in its box",
        "rename",
        ("r", "F2"),
    ),
    DeskKey(
        DRAW,
        "R",
        "read the text in this box again; the result is proposed as the name",
        "reread",
        ("R",),
    ),
    DeskKey(
        DRAW,
        "M",
        "join the texts in the region, or the Shift-clicked texts, into one name; you see it first",
        "join",
        ("M",),
    ),
    DeskKey(DRAW, "Delete", "remove the selected edge or the chosen node", "remove", ("Delete",)),
    DeskKey(DRAW, "Ctrl Z", "undo", "undo", ("Ctrl+z",), repeats=True),
    DeskKey(DRAW, "Ctrl Shift Z, Ctrl Y", "redo", "redo", ("Ctrl+Shift+z", "Ctrl+y"), repeats=True),
    DeskKey(
        EDGE,
        "+ − 0",
        "sign: plus, minus, not printed; before the sink is chosen, for the new edge",
        "sign",
        ("+", "=", "-", "−", "0"),
    ),
    DeskKey(EDGE, "d", "delay mark on or off", "delay", ("d", "D")),
    DeskKey(EDGE, "G", "next flag", "flag", ("G", "g")),
    DeskKey(EDGE, "V", "reverse the edge; with a proposal: accept it reversed", "reverse", ("V", "v")),
    DeskKey(
        EDGE,
        "< >",
        "change the source, change the sink; a proposal is accepted with the change",
        "retype",
        ("<", ",", ">", "."),
    ),
    DeskKey(EDGE, "E", "next edge of the node, or of the figure", "nextEdge", ("E", "e"), repeats=True),
    DeskKey(
        LOOK,
        "H",
        "hints on or off: a short code next to every node and the text read above it, for this figure",
        "hints",
        ("H", "h"),
    ),
    DeskKey(LOOK, "n", "only this node and its edges, on or off", "focus", ("n",)),
    DeskKey(LOOK, "i o f", "zoom in, zoom out, fit", "zoom", ("I", "i", "o", "f"), repeats=True),
    DeskKey(
        LOOK,
        "Shift arrow keys",
        "move the figure",
        "pan",
        ("Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"),
        repeats=True,
    ),
    DeskKey(LOOK, "F", "full window: the canvas alone, on or off; Esc goes back too", "fullWindow", ("F",)),
    DeskKey(LOOK, "W", "type edges in the entry line; Esc returns to the figure", "toLine", ("W", "w")),
    DeskKey(LOOK, "?", "show all keys", "help", ("?",)),
    DeskKey(CHECK, "P", "next proposal, doubtful ones first", "nextProposal", ("P", "p")),
    DeskKey(
        CHECK,
        "y or Enter",
        "accept the proposal; y with a selected edge: use the sign and delay printed at its arrow",
        "accept",
        ("y",),
    ),
    DeskKey(CHECK, "x", "reject the proposal", "refuse", ("x",)),
    DeskKey(CHECK, "Y", "accept all certain proposals", "acceptCertain", ("Y",)),
    DeskKey(CHECK, "N", "accept all proposals at the node", "acceptNode", ("N",)),
    DeskKey(CHECK, "X", "reject all proposals of the same kind; a menu lists the kinds", "rejectKind", ("X",)),
    DeskKey(
        CHECK,
        "O",
        "region: draw around proposals, or move it by arrow keys (Shift: its corner); y accepts all in it, x rejects",
        "region",
        ("O",),
    ),
    DeskKey(
        CHECK,
        "S",
        "sweep: go through the nodes, then the unused printed texts and arrows; again: skip to the next",
        "sweep",
        ("S", "s"),
    ),
    DeskKey(CHECK, "b", "next printed arrow without an edge", "nextArrow", ("b",), repeats=True),
    DeskKey(CHECK, "B", "previous printed arrow without an edge", "previousArrow", ("B",), repeats=True),
    DeskKey(
        CHECK,
        "T",
        "mark the node as swept; with a printed text: not a variable; with a printed arrow: not an edge",
        "tick",
        ("T", "t"),
    ),
    DeskKey(CHECK, "Enter", "in the sweep, when it asks about a printed text: make it a node"),
    DeskKey(POINT, "click, click", "source, then sink; Shift with the sink keeps the source"),
    DeskKey(POINT, "drag", "draw from source to sink; on empty space: move the figure"),
    DeskKey(
        POINT, "Shift click", "make a printed text a node without an edge; Shift-click more texts to join them (M)"
    ),
    DeskKey(POINT, "click empty space", "make a node there (double click if printed texts are shown)"),
    DeskKey(POINT, "drag a ring", "move that end of the edge or proposal to another node"),
    DeskKey(POINT, "Alt drag", "move a node"),
    DeskKey(POINT, "Region, drag", "draw a lasso; proposals in it are answered together, texts joined"),
    DeskKey(POINT, "wheel, pinch", "zoom"),
    DeskKey(POINT, "right click, long press", "menu of a node"),
)

KEY_TABLE = KeyTable(
    label="Canvas keys",
    note="Most letters work in either case; of b, f, m, n, o, r, x and y the capital is a key of its own. Codes use no "
    "letter that is a key here.",
    keys=_KEYS,
)
