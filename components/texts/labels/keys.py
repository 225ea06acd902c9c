"""Keys of the labelling desk: one table for the `?` sheet, the handling of a press, and the guide."""

from __future__ import annotations

from components.desk.key_table import DeskKey, KeyTable

LABEL, GO, LOOK = "Label", "Continue", "View"

_KEYS = (
    DeskKey(LABEL, "1 2 3", "the chosen node is named, implied, absent; go to the next", "label", ("1", "2", "3")),
    DeskKey(LABEL, "Backspace", "clear this level", "clear", ("Backspace", "Delete")),
    DeskKey(GO, "n, ↓", "the next node", "next", ("n", "ArrowDown"), repeats=True),
    DeskKey(GO, "p, ↑", "the previous node", "previous", ("p", "ArrowUp"), repeats=True),
    DeskKey(
        GO,
        "Enter",
        "go to the next node without a level; with none left: submit; after submitting: go to the next text",
        "enter",
        ("Enter",),
    ),
    DeskKey(LOOK, "f", "the next place of the chosen name in the text", "find", ("f",), repeats=True),
    DeskKey(LOOK, "/", "search; Enter finds the next, Shift Enter the previous, Esc returns", "search", ("/",)),
    DeskKey(LOOK, "?", "show all keys", "help", ("?",)),
)

KEY_TABLE = KeyTable(
    label="Labelling keys",
    note="While a text field has the focus, letters are text. Esc returns to the keys.",
    caption=(("1", "named"), ("2", "implied"), ("3", "absent"), ("f", "find"), ("/", "search")),
    keys=_KEYS,
)
