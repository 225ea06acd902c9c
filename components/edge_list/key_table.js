// Made from components/edge_list/keys.py by `python docs/generate.py`; a test compares the two.

/** @type {import("../desk/types.d.ts").KeyTable} */
export const KEY_TABLE = {
  label: "Edge list keys",
  note: "",
  caption: [["Enter", "add"], ["↑↓", "list"], ["+ − 0", "sign"], ["d", "delay"], ["f", "flag"], ["n", "note"], ["Del", "remove"], ["Ctrl Z", "undo"], ["?", "all keys"]],
  keys: [
    {"section": "In the line", "keys": "Enter", "does": "add what is typed", "command": "", "presses": [], "repeats": false},
    {"section": "In the line", "keys": "Shift Enter", "does": "one more line", "command": "", "presses": [], "repeats": false},
    {"section": "In the line", "keys": "Tab", "does": "insert the first or chosen name", "command": "", "presses": [], "repeats": false},
    {"section": "In the line", "keys": "↑ ↓", "does": "choose a name; ↓ in an empty line goes to the list", "command": "", "presses": [], "repeats": false},
    {"section": "In the line", "keys": "Esc", "does": "close the list of names, or return to the figure", "command": "", "presses": [], "repeats": false},
    {"section": "In the list", "keys": "↑ ↓ Home End", "does": "move", "command": "step", "presses": ["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"], "repeats": true},
    {"section": "In the list", "keys": "+ − 0", "does": "sign: plus, minus, not printed", "command": "sign", "presses": ["+", "=", "-", "−", "0"], "repeats": false},
    {"section": "In the list", "keys": "d", "does": "delay mark on or off", "command": "toggleDelay", "presses": ["d"], "repeats": false},
    {"section": "In the list", "keys": "f", "does": "next flag", "command": "nextFlag", "presses": ["f"], "repeats": false},
    {"section": "In the list", "keys": "n", "does": "note", "command": "editNote", "presses": ["n"], "repeats": false},
    {"section": "In the list", "keys": "Enter", "does": "edit source and sink", "command": "editEnds", "presses": ["Enter"], "repeats": false},
    {"section": "In the list", "keys": "Delete", "does": "remove the edge", "command": "remove", "presses": ["Delete", "Backspace"], "repeats": false},
    {"section": "In the list", "keys": "Esc", "does": "back to the line", "command": "toLine", "presses": ["Escape"], "repeats": false},
    {"section": "Anywhere in the edge list", "keys": "Ctrl Z", "does": "undo", "command": "undo", "presses": ["Ctrl+z"], "repeats": true},
    {"section": "Anywhere in the edge list", "keys": "Ctrl Shift Z, Ctrl Y", "does": "redo", "command": "redo", "presses": ["Ctrl+Shift+z", "Ctrl+y"], "repeats": true},
    {"section": "Anywhere in the edge list", "keys": "?", "does": "show all keys (outside text fields)", "command": "help", "presses": ["?"], "repeats": false},
    {"section": "Syntax of the line", "keys": "A -> B", "does": "an edge", "command": "", "presses": [], "repeats": false},
    {"section": "Syntax of the line", "keys": "A ->+ B   A ->- B", "does": "with its sign", "command": "", "presses": [], "repeats": false},
    {"section": "Syntax of the line", "keys": "A -> B; C", "does": "several sinks", "command": "", "presses": [], "repeats": false},
    {"section": "Syntax of the line", "keys": "A -> B -> C", "does": "a chain", "command": "", "presses": [], "repeats": false},
    {"section": "Syntax of the line", "keys": "A <-> B", "does": "both ways", "command": "", "presses": [], "repeats": false},
    {"section": "Syntax of the line", "keys": "\"A; old\" -> B", "does": "quotes around a name with ; or ->", "command": "", "presses": [], "repeats": false},
  ],
};
