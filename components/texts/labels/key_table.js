// Made from components/texts/labels/keys.py by `python docs/generate.py`; a test compares the two.

/** @type {import("../../desk/types.d.ts").KeyTable} */
export const KEY_TABLE = {
  label: "Labelling keys",
  note: "While a text field has the focus, letters are text. Esc returns to the keys.",
  caption: [["1", "named"], ["2", "implied"], ["3", "absent"], ["f", "find"], ["/", "search"]],
  keys: [
    {"section": "Label", "keys": "1 2 3", "does": "the chosen node is named, implied, absent; go to the next", "command": "label", "presses": ["1", "2", "3"], "repeats": false},
    {"section": "Label", "keys": "Backspace", "does": "clear this level", "command": "clear", "presses": ["Backspace", "Delete"], "repeats": false},
    {"section": "Continue", "keys": "n, ↓", "does": "the next node", "command": "next", "presses": ["n", "ArrowDown"], "repeats": true},
    {"section": "Continue", "keys": "p, ↑", "does": "the previous node", "command": "previous", "presses": ["p", "ArrowUp"], "repeats": true},
    {"section": "Continue", "keys": "Enter", "does": "go to the next node without a level; with none left: submit; after submitting: go to the next text", "command": "enter", "presses": ["Enter"], "repeats": false},
    {"section": "View", "keys": "f", "does": "the next place of the chosen name in the text", "command": "find", "presses": ["f"], "repeats": true},
    {"section": "View", "keys": "/", "does": "search; Enter finds the next, Shift Enter the previous, Esc returns", "command": "search", "presses": ["/"], "repeats": false},
    {"section": "View", "keys": "?", "does": "show all keys", "command": "help", "presses": ["?"], "repeats": false},
  ],
};
