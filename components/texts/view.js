// View of the text desk: the stored data with unanswered acts applied. Pure.

/** @typedef {Pick<import("./types.d.ts").ChangeData, "kind" | "number">} Change */

/** @type {(text: string, number: number) => string} */
const keyOf = (text, number) => `${text} ${number}`;

/** @param {import("./types.d.ts").TextData} data @param {import("../desk/types.d.ts").Act[]} acts */
export function viewOf(data, acts) {
  /** @type {Map<string, boolean>} */
  const ruled = new Map();
  for (const { id, changes } of data.stages)
    for (const each of changes) ruled.set(keyOf(id, each.number), each.is_rejected);
  let isSettling = false;
  for (const { kind, text, number } of acts) {
    if (kind === "reject_change" || kind === "restore_change") ruled.set(keyOf(text, number), kind === "reject_change");
    if (kind === "ready") isSettling = true;
  }
  return {
    /** @type {(text: string, number: number) => boolean} */
    isRejected: (text, number) => ruled.get(keyOf(text, number)) ?? false,
    isSettling,
    isReady: data.is_ready && acts.length === 0,
  };
}

/** Kinds of changes of a stage with their counts, the most frequent first.
 * @param {Pick<Change, "kind">[]} changes */
export function kindsOf(changes) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { kind } of changes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || a.localeCompare(b));
}

/** The change after (`by` 1) or before (-1) the one with `number`, round the ends; of none chosen the first or last.
 * @param {Pick<Change, "number">[]} changes
 * @param {number | null} number
 * @param {number} by */
export function stepped(changes, number, by) {
  if (changes.length === 0) return null;
  const at = changes.findIndex((each) => each.number === number);
  if (at < 0) return changes[by > 0 ? 0 : changes.length - 1].number;
  return changes[(at + by + changes.length) % changes.length].number;
}

/** The kind listed after `kind` ("" for all), round the end.
 * @param {Pick<Change, "kind">[]} changes
 * @param {string} kind */
export function nextKind(changes, kind) {
  const kinds = ["", ...kindsOf(changes).map(([name]) => name)];
  return kinds[(kinds.indexOf(kind) + 1) % kinds.length];
}

/** Every place of `words` in a text, in small letters; at most `most`.
 * @param {string} text
 * @param {string} words
 * @param {number} [most] */
export function placesOfWords(text, words, most = 500) {
  const [low, wanted] = [text.toLowerCase(), words.toLowerCase().trim()];
  /** @type {number[]} */
  const places = [];
  if (wanted === "") return places;
  for (let at = low.indexOf(wanted); at >= 0 && places.length < most; at = low.indexOf(wanted, at + wanted.length))
    places.push(at);
  return places;
}
