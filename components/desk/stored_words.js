// Stored words that screens show in other words: a node has a name, and "label" is a value of a closed list.
// Stored, sent and exported words stay; core/stored_words.py has the same table for Python.

/** @type {ReadonlyMap<string, string>} stored → shown */
const SHOWN = new Map([
  ["illegible label", "illegible name"],
  ["label misread", "name misread"],
]);

/** @param {string} stored */
export const shownWord = (stored) => SHOWN.get(stored) ?? stored;
