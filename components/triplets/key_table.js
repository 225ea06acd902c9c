// Made from components/triplets/keys.py by `python docs/generate.py`; a test compares the two.

/** @type {import("../desk/types.d.ts").KeyTable} */
export const KEY_TABLE = {
  label: "Scoring keys",
  note: "While a text field has the focus, letters are text. Esc returns to the keys.",
  caption: [["0–3", "score"], ["Tab", "next"], ["c", "comment"], ["e", "evidence"], ["s", "skip"]],
  keys: [
    {"section": "Score", "keys": "0 1 2 3", "does": "score the chosen criterion and go to the next", "command": "score", "presses": ["0", "1", "2", "3"], "repeats": false},
    {"section": "Score", "keys": "Tab, ↓", "does": "the next criterion", "command": "next", "presses": ["ArrowDown"], "repeats": true},
    {"section": "Score", "keys": "Shift Tab, ↑", "does": "the previous criterion", "command": "previous", "presses": ["ArrowUp"], "repeats": true},
    {"section": "Score", "keys": "Backspace", "does": "clear this score", "command": "takeBack", "presses": ["Backspace", "Delete"], "repeats": false},
    {"section": "Score", "keys": "u, Ctrl Z", "does": "undo your last score", "command": "undo", "presses": ["u", "Ctrl+z"], "repeats": false},
    {"section": "Score", "keys": "v", "does": "your own decision: accept, reject, none (optional)", "command": "verdict", "presses": ["v"], "repeats": false},
    {"section": "Score", "keys": "c", "does": "write a comment; Esc or Ctrl Enter returns", "command": "comment", "presses": ["c"], "repeats": false},
    {"section": "Score", "keys": "w", "does": "descriptions of all scores on or off", "command": "words", "presses": ["w"], "repeats": false},
    {"section": "Continue", "keys": "Enter", "does": "submit once all criteria are scored; after submitting: go to the next triplet", "command": "enter", "presses": ["Enter"], "repeats": false},
    {"section": "Continue", "keys": "s, then 1 to 4", "does": "skip with a reason; Enter skips, Esc returns", "command": "skip", "presses": ["s"], "repeats": false},
    {"section": "View", "keys": "e", "does": "the next paragraph of evidence", "command": "evidence", "presses": ["e"], "repeats": false},
    {"section": "View", "keys": "z", "does": "the whole page, or only the evidence", "command": "whole", "presses": ["z"], "repeats": false},
    {"section": "View", "keys": "+ −", "does": "zoom in, zoom out", "command": "zoom", "presses": ["+", "=", "-", "−"], "repeats": true},
    {"section": "View", "keys": "Shift arrow keys", "does": "move the page", "command": "pan", "presses": ["Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"], "repeats": true},
    {"section": "View", "keys": "o", "does": "open the paper at its address in a new tab", "command": "paper", "presses": ["o"], "repeats": false},
    {"section": "View", "keys": "?", "does": "show all keys", "command": "help", "presses": ["?"], "repeats": false},
  ],
};
