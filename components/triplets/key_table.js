// Made from components/triplets/keys.py by `python docs/generate.py`; a test compares the two.

export const SCORING_KEYS = [
  {"section": "Score", "keys": "0 1 2 3", "does": "score the chosen criterion and go on to the next", "deed": "score", "presses": ["0", "1", "2", "3"]},
  {"section": "Score", "keys": "Tab, ↓", "does": "the next criterion", "deed": "next", "presses": ["ArrowDown"]},
  {"section": "Score", "keys": "Shift Tab, ↑", "does": "the criterion before", "deed": "previous", "presses": ["ArrowUp"]},
  {"section": "Score", "keys": "Backspace", "does": "take this score back", "deed": "takeBack", "presses": ["Backspace", "Delete"]},
  {"section": "Score", "keys": "u, Ctrl Z", "does": "undo your last score", "deed": "undo", "presses": ["u", "Ctrl+z"]},
  {"section": "Score", "keys": "v", "does": "your own verdict: keep, drop, none; never needed", "deed": "verdict", "presses": ["v"]},
  {"section": "Score", "keys": "c", "does": "write a comment; Esc or Ctrl Enter leads back", "deed": "comment", "presses": ["c"]},
  {"section": "Score", "keys": "w", "does": "what every score of every criterion says, on or off", "deed": "words", "presses": ["w"]},
  {"section": "Go on", "keys": "Enter", "does": "submit when all is scored; afterwards: the next triplet", "deed": "enter", "presses": ["Enter"]},
  {"section": "Go on", "keys": "s, then 1 to 4", "does": "skip it, with a reason; Enter skips, Esc leads back", "deed": "skip", "presses": ["s"]},
  {"section": "Look around", "keys": "e", "does": "the next paragraph of evidence", "deed": "evidence", "presses": ["e"]},
  {"section": "Look around", "keys": "z", "does": "the whole page, or only the evidence", "deed": "whole", "presses": ["z"]},
  {"section": "Look around", "keys": "+ −", "does": "zoom in, zoom out", "deed": "zoom", "presses": ["+", "=", "-", "−"]},
  {"section": "Look around", "keys": "Shift Arrows", "does": "move the page", "deed": "pan", "presses": ["Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"]},
  {"section": "Look around", "keys": "o", "does": "the paper at its address, in a tab of its own", "deed": "paper", "presses": ["o"]},
  {"section": "Look around", "keys": "?", "does": "this sheet", "deed": "help", "presses": ["?"]},
];

export const SCORING_NOTE = "While a text field has the focus, letters are text; Esc leads back to the keys.";
