// Likely corrections of a misread name: letters that readers confuse, case, and the words of the figure's other names.
// Pure.

import { foldName } from "../desk/names.js";

/** A correction; `start` to `end` are the letters of the name that it replaces. `isSure`: no word has these letters.
 * @typedef {{text: string, start: number, end: number, isSure: boolean}} Correction */

const MOST = 0.8; // share of the other names that shows how names begin
const LEAST_NAMES = 3;
const LEAST_LETTERS = 6; // of a word that is compared with the words of other names
const MARKS = /\p{M}/u;
const COMBINING = /\p{M}/gu;
const INNER_CAPITAL = /\p{Ll}\p{Lu}/u;
/** @type {[RegExp, string][]} Letters that were read as other signs, and the letters. */
const MISREAD = [
  [/[|!](?=\p{L})|(?<=\p{L})[|!]/gu, "l"],
  [/1(?=\p{Ll})/gu, "l"],
  [/0(?=\p{Ll})/gu, "o"],
  [/5(?=\p{Ll})/gu, "s"],
  [/(?<![.,;:])[.,;:]{2,}$/u, ""],
];

/** @param {string} text */
const wordsOf = (text) => text.split(/\s+/u);
/** @param {string} text */
const decomposed = (text) => text.normalize("NFD");

/** Corrections of `name`, best first: at most one sure one, with everything repaired, and others by similar words.
 * @param {string} name
 * @param {string[]} others names of the same figure
 * @returns {Correction[]} */
export function correctionsOf(name, others) {
  const known = new Set(others.flatMap(wordsOf));
  const hasMarks = others.some((other) => MARKS.test(decomposed(other)));
  const words = wordsOf(name).map((word) => (known.has(word) ? word : repaired(word, name, hasMarks)));
  const sure = withFirst(words.join(" ").replace(/[,;:]$/u, ""), others);
  const similar = words.flatMap((word, place) =>
    known.has(word) ? [] : similarWords(word, known).map((other) => words.with(place, other).join(" ")),
  );
  return [...new Set([sure, ...similar])]
    .filter((text) => text !== name)
    .map((text) => ({ text, ...difference(name, text), isSure: text === sure }));
}

/** @param {string} word @param {string} name @param {boolean} hasMarks the figure's names have accents */
function repaired(word, name, hasMarks) {
  let text = hasMarks ? word : decomposed(word).replace(COMBINING, "");
  for (const [sign, letter] of MISREAD) text = text.replace(sign, letter);
  if (!name.includes("(")) text = text.replace(/(?<=\p{Ll})\)$/u, "l");
  return INNER_CAPITAL.test(text) ? text.slice(0, 1) + text.slice(1).toLowerCase() : text;
}

/** The name with its first letter large or small, as that of most others is.
 * @param {string} name @param {string[]} others */
function withFirst(name, others) {
  const first = name.slice(0, 1);
  const share = (/** @type {RegExp} */ letter) =>
    others.length < LEAST_NAMES ? 0 : others.filter((other) => letter.test(other)).length / others.length;
  if (/^\p{Ll}/u.test(name) && share(/^\p{Lu}/u) >= MOST) return first.toUpperCase() + name.slice(1);
  if (/^\p{Lu}\p{Ll}/u.test(name) && share(/^\p{Ll}/u) >= MOST) return first.toLowerCase() + name.slice(1);
  return name;
}

/** Words that differ from a long one in one letter, but not by an ending.
 * @param {string} word @param {Set<string>} known */
function similarWords(word, known) {
  if (word.length < LEAST_LETTERS) return [];
  const folded = foldName(word);
  return [...known].filter((other) => {
    const text = foldName(other);
    if (text === folded || text.startsWith(folded) || folded.startsWith(text)) return false;
    const { start, end } = difference(folded, text);
    return Math.abs(text.length - folded.length) <= 1 && end - start <= 1 && end < folded.length;
  });
}

/** The span of `name` that differs from `text`.
 * @param {string} name @param {string} text */
function difference(name, text) {
  let start = 0;
  while (start < name.length && name[start] === text[start]) start += 1;
  let end = name.length;
  let from = text.length;
  while (end > start && from > start && name[end - 1] === text[from - 1]) {
    end -= 1;
    from -= 1;
  }
  return { start, end };
}
