// Made from components/adjudication/keys.py by `python docs/generate.py`; a test compares the two.

export const RULING_KEYS = [
  {"section": "Rule", "keys": "1", "does": "A is right; for a name: one variable with A's wording", "deed": "chooseA", "presses": ["1"]},
  {"section": "Rule", "keys": "2", "does": "B is right; for a name: one variable with B's wording", "deed": "chooseB", "presses": ["2"]},
  {"section": "Rule", "keys": "3", "does": "both are right; for a name: two variables", "deed": "chooseBoth", "presses": ["3"]},
  {"section": "Rule", "keys": "4", "does": "neither is right; for a name: one variable with another wording", "deed": "chooseNeither", "presses": ["4"]},
  {"section": "Rule", "keys": "Backspace", "does": "clear this ruling", "deed": "takeBack", "presses": ["Backspace", "Delete"]},
  {"section": "Rule", "keys": "u, Ctrl Z", "does": "undo the last ruling", "deed": "undo", "presses": ["u", "Ctrl+z"]},
  {"section": "Rule", "keys": "U, Ctrl Shift Z", "does": "redo", "deed": "redo", "presses": ["U", "Ctrl+Shift+z", "Ctrl+y"]},
  {"section": "Rule", "keys": "a", "does": "add an edge that neither drew", "deed": "addArrow", "presses": ["a"]},
  {"section": "Rule", "keys": "x", "does": "remove the chosen edge that both drew", "deed": "strike", "presses": ["x"]},
  {"section": "Names", "keys": "t", "does": "the names differ only by a typo", "deed": "typo", "presses": ["t"]},
  {"section": "Names", "keys": "m", "does": "a minor difference", "deed": "minor", "presses": ["m"]},
  {"section": "Names", "keys": "j", "does": "a major mismatch", "deed": "major", "presses": ["j"]},
  {"section": "Names", "keys": "w", "does": "the next likely name from A", "deed": "nextOffer", "presses": ["w"]},
  {"section": "Names", "keys": "W", "does": "choose among all names from A", "deed": "allOffers", "presses": ["W"]},
  {"section": "Why", "keys": "r, then 1 to 9", "does": "a reason on or off", "deed": "reason", "presses": ["r"]},
  {"section": "Why", "keys": "c", "does": "write a comment; Esc or Ctrl Enter returns", "deed": "comment", "presses": ["c"]},
  {"section": "Why", "keys": "g", "does": "guideline gap on or off", "deed": "gap", "presses": ["g"]},
  {"section": "Go", "keys": "n, →, ↓", "does": "next", "deed": "next", "presses": ["n", "ArrowRight", "ArrowDown"]},
  {"section": "Go", "keys": "p, ←, ↑", "does": "previous", "deed": "previous", "presses": ["p", "ArrowLeft", "ArrowUp"]},
  {"section": "Go", "keys": "Enter", "does": "the next without a ruling; if none is left: finish", "deed": "nextWaiting", "presses": ["Enter"]},
  {"section": "Go", "keys": "l", "does": "show the next filter: waiting, ruled, all, agreed", "deed": "filter", "presses": ["l"]},
  {"section": "View", "keys": "z", "does": "the whole figure, or only the question", "deed": "whole", "presses": ["z"]},
  {"section": "View", "keys": "+ −", "does": "zoom in, zoom out", "deed": "zoom", "presses": ["+", "=", "-", "−"]},
  {"section": "View", "keys": "Shift Arrows", "does": "move the figure", "deed": "pan", "presses": ["Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"]},
  {"section": "View", "keys": "?", "does": "show all keys", "deed": "help", "presses": ["?"]},
];

export const RULING_NOTE = "While a text field has the focus, letters are text. Esc returns to the keys.";
