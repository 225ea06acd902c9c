"""Keys of the text desk: one table for the `?` sheet, the handling of a press, and the guide."""

from __future__ import annotations

from components.desk.key_table import DeskKey, KeyTable

CHANGE, GO, LOOK = "Change", "Go", "View"

_KEYS = (
    DeskKey(CHANGE, "x", "reject the chosen change, or restore it", "rule", ("x",)),
    DeskKey(CHANGE, "m", "replace the marked stretch, or the chosen finding, by words of yours", "mark", ("m",)),
    DeskKey(CHANGE, "u, Ctrl Z", "undo the last change", "undo", ("u", "Ctrl+z")),
    DeskKey(CHANGE, "U, Ctrl Shift Z", "redo", "redo", ("U", "Ctrl+Shift+z", "Ctrl+y")),
    DeskKey(GO, "n, ↓", "the next change", "next", ("n", "ArrowDown"), repeats=True),
    DeskKey(GO, "p, ↑", "the previous change", "previous", ("p", "ArrowUp"), repeats=True),
    DeskKey(GO, "f", "the next finding", "finding", ("f",), repeats=True),
    DeskKey(GO, "Enter", "the next stage; on the last one: make the text ready", "enter", ("Enter",)),
    DeskKey(GO, "Backspace", "the stage before", "back", ("Backspace",)),
    DeskKey(LOOK, "z", "only paragraphs with changes or findings, or the whole text", "only", ("z",)),
    DeskKey(LOOK, "k", "list the next kind of change", "kind", ("k",)),
    DeskKey(LOOK, "/", "search; Enter finds the next, Shift Enter the previous, Esc returns", "search", ("/",)),
    DeskKey(LOOK, "?", "show all keys", "help", ("?",)),
)

KEY_TABLE = KeyTable(
    label="Text keys",
    note="While a text field has the focus, letters are text. Esc returns to the keys.",
    caption=(("n p", "change"), ("x", "reject"), ("f", "finding"), ("m", "replace"), ("z", "only changes")),
    keys=_KEYS,
)
