"""The keys of the adjudicator's desk: one table for the `?` sheet, for what a press does, and for the guide."""

from __future__ import annotations

from components.canvas.keys import CanvasKey

RULE, NAME, WHY, GO, LOOK = "Rule", "Names", "Why", "Go", "View"

RULING_KEYS = (
    CanvasKey(RULE, "1", "A is right; for a name: one variable with A's wording", "chooseA", ("1",)),
    CanvasKey(RULE, "2", "B is right; for a name: one variable with B's wording", "chooseB", ("2",)),
    CanvasKey(RULE, "3", "both are right; for a name: two variables", "chooseBoth", ("3",)),
    CanvasKey(RULE, "4", "neither is right; for a name: one variable with another wording", "chooseNeither", ("4",)),
    CanvasKey(RULE, "Backspace", "clear this ruling", "takeBack", ("Backspace", "Delete")),
    CanvasKey(RULE, "u, Ctrl Z", "undo the last ruling", "undo", ("u", "Ctrl+z")),
    CanvasKey(RULE, "U, Ctrl Shift Z", "redo", "redo", ("U", "Ctrl+Shift+z", "Ctrl+y")),
    CanvasKey(RULE, "a", "add an edge that neither drew", "addArrow", ("a",)),
    CanvasKey(RULE, "x", "remove the chosen edge that both drew", "strike", ("x",)),
    CanvasKey(NAME, "t", "the names differ only by a typo", "typo", ("t",)),
    CanvasKey(NAME, "m", "a minor difference", "minor", ("m",)),
    CanvasKey(NAME, "j", "a major mismatch", "major", ("j",)),
    CanvasKey(NAME, "w", "the next likely name from A", "nextOffer", ("w",)),
    CanvasKey(NAME, "W", "choose among all names from A", "allOffers", ("W",)),
    CanvasKey(WHY, "r, then 1 to 9", "a reason on or off", "reason", ("r",)),
    CanvasKey(WHY, "c", "write a comment; Esc or Ctrl Enter returns", "comment", ("c",)),
    CanvasKey(WHY, "g", "guideline gap on or off", "gap", ("g",)),
    CanvasKey(GO, "n, →, ↓", "next", "next", ("n", "ArrowRight", "ArrowDown")),
    CanvasKey(GO, "p, ←, ↑", "previous", "previous", ("p", "ArrowLeft", "ArrowUp")),
    CanvasKey(GO, "Enter", "the next without a ruling; if none is left: finish", "nextWaiting", ("Enter",)),
    CanvasKey(GO, "l", "show the next filter: waiting, ruled, all, agreed", "filter", ("l",)),
    CanvasKey(LOOK, "z", "the whole figure, or only the question", "whole", ("z",)),
    CanvasKey(LOOK, "+ −", "zoom in, zoom out", "zoom", ("+", "=", "-", "−")),
    CanvasKey(
        LOOK,
        "Shift Arrows",
        "move the figure",
        "pan",
        ("Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"),
    ),
    CanvasKey(LOOK, "?", "show all keys", "help", ("?",)),
)

NOTE = "While a text field has the focus, letters are text. Esc returns to the keys."
