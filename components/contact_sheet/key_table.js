// Made from components/contact_sheet/keys.py by `python docs/generate.py`; a test compares the two.

/** @type {import("../desk/types.d.ts").KeyTable} */
export const KEY_TABLE = {
  label: "Contact sheet keys",
  note: "",
  caption: [["Enter", "locate"], ["x", "leave out"], ["Space", "look"], ["u", "undo"], ["n", "next sheet"]],
  keys: [
    {"section": "Decide", "keys": "Enter", "does": "locate the chosen figure and go to the next that waits", "command": "locate", "presses": ["Enter"], "repeats": false},
    {"section": "Decide", "keys": "x", "does": "leave the chosen figure out and go to the next that waits", "command": "leaveOut", "presses": ["x", "Delete"], "repeats": false},
    {"section": "Decide", "keys": "u, Ctrl Z", "does": "undo your last decision", "command": "undo", "presses": ["u", "Ctrl+z"], "repeats": false},
    {"section": "Move", "keys": "← →", "does": "the figure before, the figure after", "command": "step", "presses": ["ArrowLeft", "ArrowRight"], "repeats": true},
    {"section": "Move", "keys": "↑ ↓", "does": "the figure above, the figure below", "command": "row", "presses": ["ArrowUp", "ArrowDown"], "repeats": true},
    {"section": "Move", "keys": "Home, End", "does": "the first figure, the last figure", "command": "far", "presses": ["Home", "End"], "repeats": false},
    {"section": "Move", "keys": "n", "does": "the next sheet", "command": "next", "presses": ["n"], "repeats": false},
    {"section": "View", "keys": "Space", "does": "the figure on its page, on or off; Esc closes it too", "command": "look", "presses": [" "], "repeats": false},
    {"section": "View", "keys": "o", "does": "open the page in a new tab, to correct the rectangle", "command": "open", "presses": ["o"], "repeats": false},
    {"section": "View", "keys": "?", "does": "show all keys", "command": "help", "presses": ["?"], "repeats": false},
  ],
};
