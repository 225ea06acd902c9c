"""Keys of the verdict desk: one table for the `?` sheet, the handling of a press, and the guide."""

from __future__ import annotations

from components.desk.key_table import DeskKey, KeyTable

LABEL, COMPARE, GO, LOOK = "Label", "After the comparison", "Continue", "View"

_KEYS = (
    DeskKey(
        LABEL, "1 to 4", "choose the label of the current field and go to the next", "choose", ("1", "2", "3", "4")
    ),
    DeskKey(LABEL, "Backspace", "clear the last label", "clear", ("Backspace", "Delete")),
    DeskKey(LABEL, "Tab, Shift ↓", "the next field", "nextField", ("Shift+ArrowDown",), repeats=True),
    DeskKey(LABEL, "Shift ↑", "the previous field", "previousField", ("Shift+ArrowUp",), repeats=True),
    DeskKey(LABEL, "d", "the definitions of all labels, or of the current field's", "definitions", ("d",)),
    DeskKey(LABEL, "f", "the item cannot be judged; give a reason", "flag", ("f",)),
    DeskKey(
        GO,
        "Enter",
        "compare with the judge once all labels are set; then the next item; at the end submit",
        "enter",
        ("Enter",),
    ),
    DeskKey(GO, "n, ↓", "the next item", "next", ("n", "ArrowDown"), repeats=True),
    DeskKey(GO, "p, ↑", "the previous item", "previous", ("p", "ArrowUp"), repeats=True),
    DeskKey(GO, "s", "skip this sheet; give a reason", "skip", ("s",)),
    DeskKey(GO, "u, Ctrl Z", "undo your last label, ruling or counterpart", "undo", ("u", "Ctrl+z")),
    DeskKey(GO, "U, Ctrl Shift Z", "redo", "redo", ("U", "Ctrl+Shift+z", "Ctrl+y")),
    DeskKey(COMPARE, "k, then 1 to 8", "keep your labels as an override, with a reason", "keep", ("k",)),
    DeskKey(COMPARE, "j", "the judge is right; your labels stay as your blind ones", "concede", ("j",)),
    DeskKey(COMPARE, "b", "both can be defended; scores stay", "both", ("b",)),
    DeskKey(COMPARE, "r", "what the judge wrote of this item", "reasoning", ("r",)),
    DeskKey(LOOK, "a", "draw a node as one with its counterpart, or apart again", "counterpart", ("a",)),
    DeskKey(LOOK, "q", "the next marked sentence", "sentence", ("q",)),
    DeskKey(LOOK, "/", "search the text", "search", ("/",)),
    DeskKey(LOOK, "g", "the whole graph, or only around this item", "around", ("g",)),
    DeskKey(LOOK, "v", "both graphs, the truth, the prediction", "side", ("v",)),
    DeskKey(LOOK, "?", "show all keys", "help", ("?",)),
)

KEY_TABLE = KeyTable(
    label="Verdict keys",
    note="While a text field has the focus, letters are text. Esc returns to the keys.",
    caption=(("1–4", "label"), ("Enter", "compare, next"), ("k", "keep"), ("j", "judge is right"), ("q", "sentence")),
    keys=_KEYS,
)
