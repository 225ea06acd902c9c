// Names as they are sought: without case, accents, and space to spare. Pure: text in, text out.

// Letters whose marks Unicode does not take off.
const LETTERS = { ø: "o", ł: "l", đ: "d", ß: "ss", æ: "ae", œ: "oe", ı: "i", þ: "th" };

/** A name without case, accents, and space to spare. */
export function folded(text) {
  const bare = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return bare
    .replace(/[øłđßæœıþ]/g, (letter) => LETTERS[letter])
    .split(/\s+/)
    .filter(Boolean)
    .join(" ");
}

/**
 * Of `named`, those whose name holds every word of `typed`: the same name, names that begin so, that hold it, that hold
 * its words; none if nothing is typed.
 * @template {{name: string}} T
 * @param {T[]} named
 * @param {string} typed
 * @returns {(T & {plain: string})[]}
 */
export function namesFound(named, typed) {
  const query = folded(typed);
  if (query === "") return [];
  const words = query.split(" ");
  const rank = ({ plain }) => (plain === query ? 0 : plain.startsWith(query) ? 1 : plain.includes(query) ? 2 : 3);
  return named
    .map((each) => ({ ...each, plain: folded(each.name) }))
    .filter(({ plain }) => words.every((word) => plain.includes(word)))
    .sort((one, other) => rank(one) - rank(other) || one.plain.localeCompare(other.plain));
}
