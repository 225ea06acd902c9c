"""The keys of the scoring desk: one table for the `?` sheet, for what a press does, and for the guide."""

from __future__ import annotations

from components.canvas.keys import CanvasKey

SCORE, GO, LOOK = "Score", "Go on", "Look around"

SCORING_KEYS = (
    CanvasKey(SCORE, "0 1 2 3", "score the chosen criterion and go on to the next", "score", ("0", "1", "2", "3")),
    CanvasKey(SCORE, "Tab, ↓", "the next criterion", "next", ("ArrowDown",)),
    CanvasKey(SCORE, "Shift Tab, ↑", "the criterion before", "previous", ("ArrowUp",)),
    CanvasKey(SCORE, "Backspace", "take this score back", "takeBack", ("Backspace", "Delete")),
    CanvasKey(SCORE, "u, Ctrl Z", "undo your last score", "undo", ("u", "Ctrl+z")),
    CanvasKey(SCORE, "v", "your own verdict: keep, drop, none; never needed", "verdict", ("v",)),
    CanvasKey(SCORE, "c", "write a comment; Esc or Ctrl Enter leads back", "comment", ("c",)),
    CanvasKey(SCORE, "w", "what every score of every criterion says, on or off", "words", ("w",)),
    CanvasKey(GO, "Enter", "submit when all is scored; afterwards: the next triplet", "enter", ("Enter",)),
    CanvasKey(GO, "s, then 1 to 4", "skip it, with a reason; Enter skips, Esc leads back", "skip", ("s",)),
    CanvasKey(LOOK, "e", "the next paragraph of evidence", "evidence", ("e",)),
    CanvasKey(LOOK, "z", "the whole page, or only the evidence", "whole", ("z",)),
    CanvasKey(LOOK, "+ −", "zoom in, zoom out", "zoom", ("+", "=", "-", "−")),
    CanvasKey(
        LOOK,
        "Shift Arrows",
        "move the page",
        "pan",
        ("Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"),
    ),
    CanvasKey(LOOK, "o", "the paper at its address, in a tab of its own", "paper", ("o",)),
    CanvasKey(LOOK, "?", "this sheet", "help", ("?",)),
)

NOTE = "While a text field has the focus, letters are text; Esc leads back to the keys."
