// Spellings of names in the browser: as stored, and folded for comparison.

/** @param {string} text */
export const cleanName = (text) =>
  text
    .normalize("NFC")
    .replace(/[\u200b\u2060\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim();
/** @param {string} text */
export const foldName = (text) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s+/g, " ")
    .trim();
