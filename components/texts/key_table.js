// Made from components/texts/keys.py by `python docs/generate.py`; a test compares the two.

/** @type {import("../desk/types.d.ts").KeyTable} */
export const KEY_TABLE = {
  label: "Text keys",
  note: "While a text field has the focus, letters are text. Esc returns to the keys.",
  caption: [["n p", "change"], ["x", "reject"], ["f", "finding"], ["m", "replace"], ["z", "only changes"]],
  keys: [
    {"section": "Change", "keys": "x", "does": "reject the chosen change, or restore it", "command": "rule", "presses": ["x"], "repeats": false},
    {"section": "Change", "keys": "m", "does": "replace the marked stretch, or the chosen finding, by words of yours", "command": "mark", "presses": ["m"], "repeats": false},
    {"section": "Change", "keys": "u, Ctrl Z", "does": "undo the last change", "command": "undo", "presses": ["u", "Ctrl+z"], "repeats": false},
    {"section": "Change", "keys": "U, Ctrl Shift Z", "does": "redo", "command": "redo", "presses": ["U", "Ctrl+Shift+z", "Ctrl+y"], "repeats": false},
    {"section": "Go", "keys": "n, ↓", "does": "the next change", "command": "next", "presses": ["n", "ArrowDown"], "repeats": true},
    {"section": "Go", "keys": "p, ↑", "does": "the previous change", "command": "previous", "presses": ["p", "ArrowUp"], "repeats": true},
    {"section": "Go", "keys": "f", "does": "the next finding", "command": "finding", "presses": ["f"], "repeats": true},
    {"section": "Go", "keys": "Enter", "does": "the next stage; on the last one: make the text ready", "command": "enter", "presses": ["Enter"], "repeats": false},
    {"section": "Go", "keys": "Backspace", "does": "the stage before", "command": "back", "presses": ["Backspace"], "repeats": false},
    {"section": "View", "keys": "z", "does": "only paragraphs with changes or findings, or the whole text", "command": "only", "presses": ["z"], "repeats": false},
    {"section": "View", "keys": "k", "does": "list the next kind of change", "command": "kind", "presses": ["k"], "repeats": false},
    {"section": "View", "keys": "/", "does": "search; Enter finds the next, Shift Enter the previous, Esc returns", "command": "search", "presses": ["/"], "repeats": false},
    {"section": "View", "keys": "?", "does": "show all keys", "command": "help", "presses": ["?"], "repeats": false},
  ],
};
