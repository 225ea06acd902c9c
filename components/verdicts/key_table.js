// Made from components/verdicts/keys.py by `python docs/generate.py`; a test compares the two.

/** @type {import("../desk/types.d.ts").KeyTable} */
export const KEY_TABLE = {
  label: "Verdict keys",
  note: "While a text field has the focus, letters are text. Esc returns to the keys.",
  caption: [["1–4", "label"], ["Enter", "compare, next"], ["k", "keep"], ["j", "judge is right"], ["q", "sentence"]],
  keys: [
    {"section": "Label", "keys": "1 to 4", "does": "choose the label of the current field and go to the next", "command": "choose", "presses": ["1", "2", "3", "4"], "repeats": false},
    {"section": "Label", "keys": "Backspace", "does": "clear the last label", "command": "clear", "presses": ["Backspace", "Delete"], "repeats": false},
    {"section": "Label", "keys": "Tab, Shift ↓", "does": "the next field", "command": "nextField", "presses": ["Shift+ArrowDown"], "repeats": true},
    {"section": "Label", "keys": "Shift ↑", "does": "the previous field", "command": "previousField", "presses": ["Shift+ArrowUp"], "repeats": true},
    {"section": "Label", "keys": "d", "does": "the definitions of all labels, or of the current field's", "command": "definitions", "presses": ["d"], "repeats": false},
    {"section": "Label", "keys": "f", "does": "the item cannot be judged; give a reason", "command": "flag", "presses": ["f"], "repeats": false},
    {"section": "Continue", "keys": "Enter", "does": "compare with the judge once all labels are set; then the next item; at the end submit", "command": "enter", "presses": ["Enter"], "repeats": false},
    {"section": "Continue", "keys": "n, ↓", "does": "the next item", "command": "next", "presses": ["n", "ArrowDown"], "repeats": true},
    {"section": "Continue", "keys": "p, ↑", "does": "the previous item", "command": "previous", "presses": ["p", "ArrowUp"], "repeats": true},
    {"section": "Continue", "keys": "s", "does": "skip this sheet; give a reason", "command": "skip", "presses": ["s"], "repeats": false},
    {"section": "Continue", "keys": "u, Ctrl Z", "does": "undo your last label, ruling or counterpart", "command": "undo", "presses": ["u", "Ctrl+z"], "repeats": false},
    {"section": "Continue", "keys": "U, Ctrl Shift Z", "does": "redo", "command": "redo", "presses": ["U", "Ctrl+Shift+z", "Ctrl+y"], "repeats": false},
    {"section": "After the comparison", "keys": "k, then 1 to 8", "does": "keep your labels as an override, with a reason", "command": "keep", "presses": ["k"], "repeats": false},
    {"section": "After the comparison", "keys": "j", "does": "the judge is right; your labels stay as your blind ones", "command": "concede", "presses": ["j"], "repeats": false},
    {"section": "After the comparison", "keys": "b", "does": "both can be defended; scores stay", "command": "both", "presses": ["b"], "repeats": false},
    {"section": "After the comparison", "keys": "r", "does": "what the judge wrote of this item", "command": "reasoning", "presses": ["r"], "repeats": false},
    {"section": "View", "keys": "a", "does": "draw a node as one with its counterpart, or apart again", "command": "counterpart", "presses": ["a"], "repeats": false},
    {"section": "View", "keys": "q", "does": "the next marked sentence", "command": "sentence", "presses": ["q"], "repeats": false},
    {"section": "View", "keys": "/", "does": "search the text", "command": "search", "presses": ["/"], "repeats": false},
    {"section": "View", "keys": "g", "does": "the whole graph, or only around this item", "command": "around", "presses": ["g"], "repeats": false},
    {"section": "View", "keys": "v", "does": "both graphs, the truth, the prediction", "command": "side", "presses": ["v"], "repeats": false},
    {"section": "View", "keys": "?", "does": "show all keys", "command": "help", "presses": ["?"], "repeats": false},
  ],
};
