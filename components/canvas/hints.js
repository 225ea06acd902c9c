// Hint codes: one or two letters or digits for every name. No code begins with another one, and codes never change.

export const HINT_LETTERS = "ajkqucz123456789"; // letters of no command: with hints on, every command is still one key
const HINTS_PLANNED = 48; // names that get at most two letters; more if more are there from the start

/** Number of one-letter codes, so that `planned` names get at most two letters. */
function singlesFor(planned) {
  const n = HINT_LETTERS.length;
  return Math.max(0, n - Math.max(1, Math.ceil((planned - n) / (n - 1))));
}

/** All codes, short ones first. The last letter, doubled, starts ever longer codes, so that they never end. */
function* hintCodes(singles) {
  const letters = [...HINT_LETTERS];
  const last = HINT_LETTERS.slice(-1);
  yield* letters.slice(0, singles);
  for (const first of letters.slice(singles)) {
    for (const second of letters) if (first !== last || second !== last) yield first + second;
  }
  for (let lead = last + last; ; lead += last + last) {
    for (const third of letters) {
      for (const fourth of letters) if (third !== last || fourth !== last) yield lead + third + fourth;
    }
  }
}

/** @param {Generator<string, void>} source It never ends. */
const nextOf = (source) => source.next().value ?? "";

/** @typedef {{singles: number, codes: Map<string, string>}} Hints */

/**
 * `kept` ({singles, codes: Map of key -> code} or null) with a code for each of `keys`; earlier keys get shorter ones.
 * The same object comes back if there was nothing to add.
 * @param {Hints | null} kept
 * @param {string[]} keys
 * @returns {Hints}
 */
export function withHints(kept, keys) {
  const fresh = keys.filter((key) => !kept?.codes.has(key));
  if (kept !== null && fresh.length === 0) return kept;
  const singles = kept?.singles ?? singlesFor(Math.max(1.5 * keys.length, HINTS_PLANNED));
  const codes = new Map(kept?.codes ?? []);
  const used = new Set(codes.values());
  const source = hintCodes(singles);
  for (const key of fresh) {
    let code = nextOf(source);
    while (used.has(code)) code = nextOf(source);
    codes.set(key, code);
  }
  return { singles, codes };
}

/** One more letter typed: {typed, key} where `key` is the name whose code is complete, or {typed: "", isMiss: true}.
 * @param {Map<string, string>} codes
 * @param {Iterable<string>} shown
 * @param {string} typed
 * @param {string} letter */
export function typeHint(codes, shown, typed, letter) {
  const now = typed + letter;
  let isPrefix = false;
  for (const key of shown) {
    const code = codes.get(key);
    if (code === now) return { typed: "", key, isMiss: false };
    isPrefix ||= code !== undefined && code.startsWith(now);
  }
  return isPrefix ? { typed: now, key: null, isMiss: false } : { typed: "", key: null, isMiss: true };
}
