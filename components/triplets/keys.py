"""Keys of the scoring desk: one table for the `?` sheet, the handling of a press, and the guide."""

from __future__ import annotations

from components.desk.key_table import DeskKey, KeyTable

SCORE, GO, LOOK = "Score", "Continue", "View"

_KEYS = (
    DeskKey(SCORE, "0 1 2 3", "score the chosen criterion and go to the next", "score", ("0", "1", "2", "3")),
    DeskKey(SCORE, "Tab, ↓", "the next criterion", "next", ("ArrowDown",), repeats=True),
    DeskKey(SCORE, "Shift Tab, ↑", "the previous criterion", "previous", ("ArrowUp",), repeats=True),
    DeskKey(SCORE, "Backspace", "clear this score", "takeBack", ("Backspace", "Delete")),
    DeskKey(SCORE, "u, Ctrl Z", "undo your last score", "undo", ("u", "Ctrl+z")),
    DeskKey(SCORE, "v", "your own decision: accept, reject, none (optional)", "verdict", ("v",)),
    DeskKey(SCORE, "c", "write a comment; Esc or Ctrl Enter returns", "comment", ("c",)),
    DeskKey(SCORE, "w", "descriptions of all scores on or off", "words", ("w",)),
    DeskKey(
        GO,
        "Enter",
        "submit once all criteria are scored; after submitting: go to the next triplet",
        "enter",
        ("Enter",),
    ),
    DeskKey(GO, "s, then 1 to 4", "skip with a reason; Enter skips, Esc returns", "skip", ("s",)),
    DeskKey(LOOK, "e", "the next paragraph of evidence", "evidence", ("e",)),
    DeskKey(LOOK, "z", "the whole page, or only the evidence", "whole", ("z",)),
    DeskKey(LOOK, "+ −", "zoom in, zoom out", "zoom", ("+", "=", "-", "−"), repeats=True),
    DeskKey(
        LOOK,
        "Shift arrow keys",
        "move the page",
        "pan",
        ("Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"),
        repeats=True,
    ),
    DeskKey(LOOK, "o", "open the paper at its address in a new tab", "paper", ("o",)),
    DeskKey(LOOK, "?", "show all keys", "help", ("?",)),
)

KEY_TABLE = KeyTable(
    label="Scoring keys",
    note="While a text field has the focus, letters are text. Esc returns to the keys.",
    caption=(("0–3", "score"), ("Tab", "next"), ("c", "comment"), ("e", "evidence"), ("s", "skip")),
    keys=_KEYS,
)
