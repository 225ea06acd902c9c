"""Keys of the adjudicator's desk: one table for the `?` sheet, the handling of a press, and the guide."""

from __future__ import annotations

from components.desk.key_table import DeskKey, KeyTable

RULE, NAME, WHY, GO, LOOK = "Rule", "Names", "Why", "Go", "View"

_KEYS = (
    DeskKey(
        RULE,
        "1",
        "A is right; for a name: one variable with A's wording; for an edge that only the program read: add it",
        "chooseA",
        ("1",),
    ),
    DeskKey(RULE, "2", "B is right; for a name: one variable with B's wording", "chooseB", ("2",)),
    DeskKey(RULE, "3", "both are right; for a name: two variables", "chooseBoth", ("3",)),
    DeskKey(RULE, "4", "neither is right; for a name: one variable with another wording", "chooseNeither", ("4",)),
    DeskKey(RULE, "Backspace", "clear this ruling", "takeBack", ("Backspace", "Delete")),
    DeskKey(RULE, "u, Ctrl Z", "undo the last ruling", "undo", ("u", "Ctrl+z")),
    DeskKey(RULE, "U, Ctrl Shift Z", "redo", "redo", ("U", "Ctrl+Shift+z", "Ctrl+y")),
    DeskKey(RULE, "a", "add an edge that neither drew", "addArrow", ("a",)),
    DeskKey(RULE, "x", "remove the chosen edge that both drew", "strike", ("x",)),
    DeskKey(NAME, "t", "the names differ only by a typo", "typo", ("t",)),
    DeskKey(NAME, "m", "a minor difference", "minor", ("m",)),
    DeskKey(NAME, "j", "a major mismatch", "major", ("j",)),
    DeskKey(NAME, "w", "the next likely name from A", "nextOffer", ("w",)),
    DeskKey(NAME, "W", "choose among all names from A", "allOffers", ("W",)),
    DeskKey(WHY, "r, then 1 to 9", "a reason on or off", "reason", ("r",)),
    DeskKey(WHY, "c", "write a comment; Esc or Ctrl Enter returns", "comment", ("c",)),
    DeskKey(WHY, "g", "say that the guidelines do not cover this, or take it back", "gap", ("g",)),
    DeskKey(GO, "n, →, ↓", "next", "next", ("n", "ArrowRight", "ArrowDown"), repeats=True),
    DeskKey(GO, "p, ←, ↑", "previous", "previous", ("p", "ArrowLeft", "ArrowUp"), repeats=True),
    DeskKey(
        GO,
        "Enter",
        "go to the next without a ruling; with none left: finish the adjudication",
        "nextWaiting",
        ("Enter",),
    ),
    DeskKey(
        GO, "l", "show the next filter: waiting, ruled, all differences, agreed, read differently", "filter", ("l",)
    ),
    DeskKey(LOOK, "s", "show what the program read, before you rule", "showRead", ("s",)),
    DeskKey(LOOK, "z", "the whole figure, or only the part in question", "whole", ("z",)),
    DeskKey(LOOK, "+ −", "zoom in, zoom out", "zoom", ("+", "=", "-", "−"), repeats=True),
    DeskKey(
        LOOK,
        "Shift arrow keys",
        "move the figure",
        "pan",
        ("Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"),
        repeats=True,
    ),
    DeskKey(LOOK, "?", "show all keys", "help", ("?",)),
)

KEY_TABLE = KeyTable(
    label="Adjudication keys",
    note="While a text field has the focus, letters are text. Esc returns to the keys.",
    keys=_KEYS,
)
