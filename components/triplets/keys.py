"""The keys of the scoring desk: one table for the `?` sheet, for what a press does, and for the guide."""

from __future__ import annotations

from components.canvas.keys import CanvasKey

SCORE, GO, LOOK = "Score", "Continue", "View"

SCORING_KEYS = (
    CanvasKey(SCORE, "0 1 2 3", "score the chosen criterion and go to the next", "score", ("0", "1", "2", "3")),
    CanvasKey(SCORE, "Tab, ↓", "the next criterion", "next", ("ArrowDown",)),
    CanvasKey(SCORE, "Shift Tab, ↑", "the previous criterion", "previous", ("ArrowUp",)),
    CanvasKey(SCORE, "Backspace", "clear this score", "takeBack", ("Backspace", "Delete")),
    CanvasKey(SCORE, "u, Ctrl Z", "undo your last score", "undo", ("u", "Ctrl+z")),
    CanvasKey(SCORE, "v", "your own decision: accept, reject, none (optional)", "verdict", ("v",)),
    CanvasKey(SCORE, "c", "write a comment; Esc or Ctrl Enter returns", "comment", ("c",)),
    CanvasKey(SCORE, "w", "descriptions of all scores on or off", "words", ("w",)),
    CanvasKey(GO, "Enter", "submit when all criteria are scored; then: the next triplet", "enter", ("Enter",)),
    CanvasKey(GO, "s, then 1 to 4", "skip with a reason; Enter skips, Esc returns", "skip", ("s",)),
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
    CanvasKey(LOOK, "o", "open the paper at its address in a new tab", "paper", ("o",)),
    CanvasKey(LOOK, "?", "show all keys", "help", ("?",)),
)

NOTE = "While a text field has the focus, letters are text. Esc returns to the keys."
