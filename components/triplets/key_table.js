// Made from components/triplets/keys.py by `python docs/generate.py`; a test compares the two.

export const SCORING_KEYS = [
  {"section": "Score", "keys": "0 1 2 3", "does": "score the chosen criterion and go to the next", "deed": "score", "presses": ["0", "1", "2", "3"]},
  {"section": "Score", "keys": "Tab, ↓", "does": "the next criterion", "deed": "next", "presses": ["ArrowDown"]},
  {"section": "Score", "keys": "Shift Tab, ↑", "does": "the previous criterion", "deed": "previous", "presses": ["ArrowUp"]},
  {"section": "Score", "keys": "Backspace", "does": "clear this score", "deed": "takeBack", "presses": ["Backspace", "Delete"]},
  {"section": "Score", "keys": "u, Ctrl Z", "does": "undo your last score", "deed": "undo", "presses": ["u", "Ctrl+z"]},
  {"section": "Score", "keys": "v", "does": "your own decision: accept, reject, none (optional)", "deed": "verdict", "presses": ["v"]},
  {"section": "Score", "keys": "c", "does": "write a comment; Esc or Ctrl Enter returns", "deed": "comment", "presses": ["c"]},
  {"section": "Score", "keys": "w", "does": "descriptions of all scores on or off", "deed": "words", "presses": ["w"]},
  {"section": "Continue", "keys": "Enter", "does": "submit when all criteria are scored; then: the next triplet", "deed": "enter", "presses": ["Enter"]},
  {"section": "Continue", "keys": "s, then 1 to 4", "does": "skip with a reason; Enter skips, Esc returns", "deed": "skip", "presses": ["s"]},
  {"section": "View", "keys": "e", "does": "the next paragraph of evidence", "deed": "evidence", "presses": ["e"]},
  {"section": "View", "keys": "z", "does": "the whole page, or only the evidence", "deed": "whole", "presses": ["z"]},
  {"section": "View", "keys": "+ −", "does": "zoom in, zoom out", "deed": "zoom", "presses": ["+", "=", "-", "−"]},
  {"section": "View", "keys": "Shift Arrows", "does": "move the page", "deed": "pan", "presses": ["Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"]},
  {"section": "View", "keys": "o", "does": "open the paper at its address in a new tab", "deed": "paper", "presses": ["o"]},
  {"section": "View", "keys": "?", "does": "show all keys", "deed": "help", "presses": ["?"]},
];

export const SCORING_NOTE = "While a text field has the focus, letters are text. Esc returns to the keys.";
