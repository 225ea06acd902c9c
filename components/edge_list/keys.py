"""Keys of the edge list: one table for the `?` sheet, the handling of a press, the caption and the guide."""

from __future__ import annotations

from components.desk.key_table import DeskKey, KeyTable

LINE, LIST, ANYWHERE, SYNTAX = "In the line", "In the list", "Anywhere in the edge list", "Syntax of the line"

KEY_TABLE = KeyTable(
    label="Edge list keys",
    caption=(
        ("Enter", "add"),
        ("↑↓", "list"),
        ("+ − 0", "sign"),
        ("d", "delay"),
        ("f", "flag"),
        ("n", "note"),
        ("Del", "remove"),
        ("Ctrl Z", "undo"),
        ("?", "all keys"),
    ),
    keys=(
        DeskKey(LINE, "Enter", "add what is typed"),
        DeskKey(LINE, "Shift Enter", "one more line"),
        DeskKey(LINE, "Tab", "insert the first or chosen name"),
        DeskKey(LINE, "↑ ↓", "choose a name; ↓ in an empty line goes to the list"),
        DeskKey(LINE, "Esc", "close the list of names, or return to the figure"),
        DeskKey(
            LIST,
            "↑ ↓ Home End",
            "move",
            "step",
            ("ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"),
            repeats=True,
        ),
        DeskKey(LIST, "+ − 0", "sign: plus, minus, not printed", "sign", ("+", "=", "-", "−", "0")),
        DeskKey(LIST, "d", "delay mark on or off", "toggleDelay", ("d",)),
        DeskKey(LIST, "f", "next flag", "nextFlag", ("f",)),
        DeskKey(LIST, "n", "note", "editNote", ("n",)),
        DeskKey(LIST, "Enter", "edit source and sink", "editEnds", ("Enter",)),
        DeskKey(LIST, "Delete", "remove the edge", "remove", ("Delete", "Backspace")),
        DeskKey(LIST, "Esc", "back to the line", "toLine", ("Escape",)),
        DeskKey(ANYWHERE, "Ctrl Z", "undo", "undo", ("Ctrl+z",), repeats=True),
        DeskKey(ANYWHERE, "Ctrl Shift Z, Ctrl Y", "redo", "redo", ("Ctrl+Shift+z", "Ctrl+y"), repeats=True),
        DeskKey(ANYWHERE, "?", "show all keys (outside text fields)", "help", ("?",)),
        DeskKey(SYNTAX, "A -> B", "an edge"),
        DeskKey(SYNTAX, "A ->+ B   A ->- B", "with its sign"),
        DeskKey(SYNTAX, "A -> B; C", "several sinks"),
        DeskKey(SYNTAX, "A -> B -> C", "a chain"),
        DeskKey(SYNTAX, "A <-> B", "both ways"),
        DeskKey(SYNTAX, '"A; old" -> B', "quotes around a name with ; or ->"),
    ),
)
