// Spellings of names in the browser: as they are kept, and folded for finding the same name again.

export const cleanName = (text) =>
  text
    .normalize("NFC")
    .replace(/[\u200b\u2060\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim();
export const foldName = (text) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s+/g, " ")
    .trim();
