// Words of the text desk.

const WIDE = 90;

/** A stretch in a line of a list: on one line, its end left out if it is long.
 * @param {string} text
 * @param {number} [most] */
export function shortened(text, most = WIDE) {
  const flat = text.split(/\s+/).filter(Boolean).join(" ");
  return flat.length <= most ? flat : `${flat.slice(0, most - 1)}…`;
}

/** A change in words, for screen readers.
 * @param {Pick<import("./types.d.ts").PlacedChange, "kind" | "was" | "put" | "page">} change
 * @param {boolean} isRejected */
export function changeWords({ kind, was, put, page }, isRejected) {
  const where = page === null ? "" : `, page ${page}`;
  const what = put.trim() === "" ? shortened(was) : `${shortened(was)} → ${shortened(put)}`;
  return `${isRejected ? "Rejected, " : ""}${kind}${where}: ${what}`;
}

/** @param {import("./types.d.ts").FindingData} finding */
export const findingWords = ({ kind, line, is_structural: isStructural }) =>
  `${isStructural ? "Leak" : "Warning"}: ${kind}, line ${line.toLocaleString("en")}`;

/** Reason why changes are not possible; "" if they are.
 * @param {{editable: boolean, note: string}} data */
export const closedText = (data) => (data.editable ? "" : data.note || "You can read this text, not change it.");
