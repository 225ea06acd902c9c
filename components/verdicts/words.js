// Words of the verdict desk. Values in, texts out.

import { apartFrom } from "./view.js";

const CLOSED = new Map([
  ["submitted", "This sheet is submitted and cannot be changed."],
  ["skipped", "You skipped this sheet. Resume it from your list to go on."],
  ["lapsed", "This claim expired. Resume it from your list to go on."],
]);

/** Reason why changes are not possible; "" if they are. */
export const closedText = ({ state }, { isOpen, sending }) =>
  isOpen ? "" : sending ? "Submitting. Wait a moment." : (CLOSED.get(state) ?? "");

/** Fields of presence in a section: [key of the field, title of its column][]. */
export const presenceOf = ({ fields }) =>
  fields
    .filter(({ key }) => key.endsWith(".presence_label"))
    .map(({ key }) => [key, { graph: "Graph", text: "Text" }[key.split(".")[0]] ?? "Presence"]);

export const nameOf = (item) => item.names.join(" → ");

/** @param {any} data */
export const kindOf = ({ section }) => (section.startsWith("edge") ? "Edge" : "Node");

/** Position: "Edge 4, 3 of 12 compared". */
export const placeText = (data, view, item) =>
  `${kindOf(data)} ${item.number} · ${view.done} of ${view.items.length} compared`;

/** The word of a label of a field, "–" for none. */
export function wordOf(data, key, label) {
  const field = data.fields.find((each) => each.key === key);
  return field?.choices.find((each) => each.label === label)?.word ?? "–";
}

/** Score of an item by its current labels; "" while that is not shown. @param {any} item */
export const scoreText = ({ score }) => (score === null ? "" : score.toFixed(2));

/** State of an item, in a word for its row. */
export function stateText(item) {
  if (item.is_flagged || item.ruling === "flag") return "cannot be judged";
  if (item.comparing && !item.is_compared) return "comparing…";
  if (item.judges.length > 0 && item.is_compared)
    return item.apart.length === 0 ? "agrees" : `${item.apart.length} differ`;
  const count = Object.keys(item.own).length;
  return count === 0 ? "" : item.missing.length === 0 ? "labelled" : `${count} set`;
}

/** Name of the judge whose labels a ruling settles. @param {any} item */
export const judgeOf = ({ judges }) => judges.find(({ is_corrected }) => is_corrected)?.name ?? "The judge";

/** Result of the comparison: agreement, or how many labels differ from those of each judge.
 * @param {any} data @param {any} item */
export function comparedText(data, item) {
  if (item.judges.length === 0) return "";
  const odd = item.oddities.length > 0 ? ` ${judgeOf(item)} contradicts itself: ${item.oddities.join("; ")}.` : "";
  if (Object.keys(item.own).length === 0) return `You set no label of this item.${odd}`;
  const names = item.judges.map(/** @param {any} judge */ ({ name }) => name);
  if (item.apart.length === 0) return `You and ${names.join(" and ")} agree.${odd}`;
  const total = data.fields.length;
  /** @param {any} judge */
  const partOf = (judge) => `${judge.name}: ${apartFrom(data, item, judge).length} of ${total}`;
  const parts = item.judges.map(partOf);
  const others = names.filter((/** @type {string} */ name) => name !== judgeOf(item)).join(" and ");
  const about = others ? ` Your ruling is on ${judgeOf(item)} alone; it changes no label of ${others}.` : "";
  return `Labels that differ from ${parts.join(", ")}.${about}${odd}`;
}
