"""Keys of the contact sheet: one table for the `?` sheet, the handling of a press, and the guide."""

from __future__ import annotations

from components.desk.key_table import DeskKey, KeyTable

DECIDE, GO, LOOK = "Decide", "Move", "View"

_KEYS = (
    DeskKey(DECIDE, "Enter", "locate the chosen figure and go to the next that waits", "locate", ("Enter",)),
    DeskKey(DECIDE, "x", "leave the chosen figure out and go to the next that waits", "leaveOut", ("x", "Delete")),
    DeskKey(DECIDE, "u, Ctrl Z", "undo your last decision", "undo", ("u", "Ctrl+z")),
    DeskKey(GO, "← →", "the figure before, the figure after", "step", ("ArrowLeft", "ArrowRight"), repeats=True),
    DeskKey(GO, "↑ ↓", "the figure above, the figure below", "row", ("ArrowUp", "ArrowDown"), repeats=True),
    DeskKey(GO, "Home, End", "the first figure, the last figure", "far", ("Home", "End")),
    DeskKey(GO, "n", "the next sheet", "next", ("n",)),
    DeskKey(LOOK, "Space", "the figure on its page, on or off; Esc closes it too", "look", (" ",)),
    DeskKey(LOOK, "o", "open the page in a new tab, to correct the rectangle", "open", ("o",)),
    DeskKey(LOOK, "?", "show all keys", "help", ("?",)),
)

KEY_TABLE = KeyTable(
    label="Contact sheet keys",
    caption=(("Enter", "locate"), ("x", "leave out"), ("Space", "look"), ("u", "undo"), ("n", "next sheet")),
    keys=_KEYS,
)
