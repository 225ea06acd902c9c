// Names as they are searched for: without case, accents, and extra space. Pure: text in, text out.

// Letters whose marks Unicode does not separate.
/** @type {Record<string, string>} */
const LETTERS = { ø: "o", ł: "l", đ: "d", ß: "ss", æ: "ae", œ: "oe", ı: "i", þ: "th" };

/** A name without case, accents, and extra space.
 * @param {string} text */
export function folded(text) {
  const bare = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return bare
    .replace(/[øłđßæœıþ]/g, (letter) => LETTERS[letter])
    .split(/\s+/)
    .filter(Boolean)
    .join(" ");
}

/**
 * The ones of `named` whose name contains every word of `typed`: equal names first, then prefixes, names that contain it,
 * and names that contain its words; none if nothing is typed.
 * @template {{name: string}} T
 * @param {T[]} named
 * @param {string} typed
 * @returns {(T & {plain: string})[]}
 */
export function namesFound(named, typed) {
  const query = folded(typed);
  if (query === "") return [];
  const words = query.split(" ");
  const rank = (/** @type {{plain: string}} */ { plain }) =>
    plain === query ? 0 : plain.startsWith(query) ? 1 : plain.includes(query) ? 2 : 3;
  return named
    .map((each) => ({ ...each, plain: folded(each.name) }))
    .filter(({ plain }) => words.every((word) => plain.includes(word)))
    .sort((one, other) => rank(one) - rank(other) || one.plain.localeCompare(other.plain));
}
