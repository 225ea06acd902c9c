"""The keys of the adjudicator's desk: one table for the `?` sheet, for what a press does, and for the guide."""

from __future__ import annotations

from components.canvas.keys import CanvasKey

RULE, NAME, WHY, GO, LOOK = "Rule", "Names", "Why", "Go", "Look around"

RULING_KEYS = (
    CanvasKey(RULE, "1", "A is right; of a name: one variable, and A's wording stands", "chooseA", ("1",)),
    CanvasKey(RULE, "2", "B is right; of a name: one variable, and B's wording stands", "chooseB", ("2",)),
    CanvasKey(RULE, "3", "both are right; of a name: they are two variables", "chooseBoth", ("3",)),
    CanvasKey(RULE, "4", "neither is right; of a name: one variable under another wording", "chooseNeither", ("4",)),
    CanvasKey(RULE, "Backspace", "take this ruling back: it waits again", "takeBack", ("Backspace", "Delete")),
    CanvasKey(RULE, "u, Ctrl Z", "undo the last ruling", "undo", ("u", "Ctrl+z")),
    CanvasKey(RULE, "U, Ctrl Shift Z", "redo", "redo", ("U", "Ctrl+Shift+z", "Ctrl+y")),
    CanvasKey(RULE, "a", "add an arrow that neither drew", "addArrow", ("a",)),
    CanvasKey(RULE, "x", "strike the chosen arrow that both drew", "strike", ("x",)),
    CanvasKey(NAME, "t", "the names differ by a typo only", "typo", ("t",)),
    CanvasKey(NAME, "m", "a minor difference", "minor", ("m",)),
    CanvasKey(NAME, "j", "a major mismatch", "major", ("j",)),
    CanvasKey(NAME, "w", "the next likely name of A's", "nextOffer", ("w",)),
    CanvasKey(NAME, "W", "choose among all names of A's", "allOffers", ("W",)),
    CanvasKey(WHY, "r, then 1 to 9", "a reason on or off", "reason", ("r",)),
    CanvasKey(WHY, "c", "write a comment; Esc or Ctrl Enter leads back", "comment", ("c",)),
    CanvasKey(WHY, "g", "the guidelines have a gap here, on or off", "gap", ("g",)),
    CanvasKey(GO, "n, →, ↓", "next", "next", ("n", "ArrowRight", "ArrowDown")),
    CanvasKey(GO, "p, ←, ↑", "previous", "previous", ("p", "ArrowLeft", "ArrowUp")),
    CanvasKey(GO, "Enter", "the next that waits; when nothing waits: finish", "nextWaiting", ("Enter",)),
    CanvasKey(GO, "l", "the list shows the next kind: waiting, ruled, all, agreed", "filter", ("l",)),
    CanvasKey(LOOK, "z", "the whole figure, or only what is asked about", "whole", ("z",)),
    CanvasKey(LOOK, "+ −", "zoom in, zoom out", "zoom", ("+", "=", "-", "−")),
    CanvasKey(
        LOOK,
        "Shift Arrows",
        "move the figure",
        "pan",
        ("Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"),
    ),
    CanvasKey(LOOK, "?", "this sheet", "help", ("?",)),
)

NOTE = "While a text field has the focus, letters are text; Esc leads back to the keys."
