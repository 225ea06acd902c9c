// Made from components/adjudication/keys.py by `python docs/generate.py`; a test compares the two.

export const RULING_KEYS = [
  {"section": "Rule", "keys": "1", "does": "A is right; of a name: one variable, and A's wording stands", "deed": "chooseA", "presses": ["1"]},
  {"section": "Rule", "keys": "2", "does": "B is right; of a name: one variable, and B's wording stands", "deed": "chooseB", "presses": ["2"]},
  {"section": "Rule", "keys": "3", "does": "both are right; of a name: they are two variables", "deed": "chooseBoth", "presses": ["3"]},
  {"section": "Rule", "keys": "4", "does": "neither is right; of a name: one variable under another wording", "deed": "chooseNeither", "presses": ["4"]},
  {"section": "Rule", "keys": "Backspace", "does": "take this ruling back: it waits again", "deed": "takeBack", "presses": ["Backspace", "Delete"]},
  {"section": "Rule", "keys": "u, Ctrl Z", "does": "undo the last ruling", "deed": "undo", "presses": ["u", "Ctrl+z"]},
  {"section": "Rule", "keys": "U, Ctrl Shift Z", "does": "redo", "deed": "redo", "presses": ["U", "Ctrl+Shift+z", "Ctrl+y"]},
  {"section": "Rule", "keys": "a", "does": "add an arrow that neither drew", "deed": "addArrow", "presses": ["a"]},
  {"section": "Rule", "keys": "x", "does": "strike the chosen arrow that both drew", "deed": "strike", "presses": ["x"]},
  {"section": "Names", "keys": "t", "does": "the names differ by a typo only", "deed": "typo", "presses": ["t"]},
  {"section": "Names", "keys": "m", "does": "a minor difference", "deed": "minor", "presses": ["m"]},
  {"section": "Names", "keys": "j", "does": "a major mismatch", "deed": "major", "presses": ["j"]},
  {"section": "Names", "keys": "w", "does": "the next likely name of A's", "deed": "nextOffer", "presses": ["w"]},
  {"section": "Names", "keys": "W", "does": "choose among all names of A's", "deed": "allOffers", "presses": ["W"]},
  {"section": "Why", "keys": "r, then 1 to 9", "does": "a reason on or off", "deed": "reason", "presses": ["r"]},
  {"section": "Why", "keys": "c", "does": "write a comment; Esc or Ctrl Enter leads back", "deed": "comment", "presses": ["c"]},
  {"section": "Why", "keys": "g", "does": "the guidelines have a gap here, on or off", "deed": "gap", "presses": ["g"]},
  {"section": "Go", "keys": "n, →, ↓", "does": "next", "deed": "next", "presses": ["n", "ArrowRight", "ArrowDown"]},
  {"section": "Go", "keys": "p, ←, ↑", "does": "previous", "deed": "previous", "presses": ["p", "ArrowLeft", "ArrowUp"]},
  {"section": "Go", "keys": "Enter", "does": "the next that waits; when nothing waits: finish", "deed": "nextWaiting", "presses": ["Enter"]},
  {"section": "Go", "keys": "l", "does": "the list shows the next kind: waiting, ruled, all, agreed", "deed": "filter", "presses": ["l"]},
  {"section": "Look around", "keys": "z", "does": "the whole figure, or only what is asked about", "deed": "whole", "presses": ["z"]},
  {"section": "Look around", "keys": "+ −", "does": "zoom in, zoom out", "deed": "zoom", "presses": ["+", "=", "-", "−"]},
  {"section": "Look around", "keys": "Shift Arrows", "does": "move the figure", "deed": "pan", "presses": ["Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"]},
  {"section": "Look around", "keys": "?", "does": "this sheet", "deed": "help", "presses": ["?"]},
];

export const RULING_NOTE = "While a text field has the focus, letters are text; Esc leads back to the keys.";
