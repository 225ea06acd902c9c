// View of the verdict desk: the stored data with unanswered acts applied. Pure.

import { linked } from "./picture.js";

/** @typedef {import("./types.d.ts").VerdictData} VerdictData */
/** @typedef {import("./types.d.ts").VerdictItemData} VerdictItemData */

/** Acts that rule on an item: each makes a version of its verdict after review. */
export const RULINGS = ["keep", "concede", "both", "flag", "take_back"];

/** The data with the acts applied: {items, links, done, isOpen, sending}; each item with its own labels, the
 * `missing` ones, and the pending parts of its comparison (`comparing`, `ruling`).
 * @param {VerdictData} data @param {import("../desk/types.d.ts").Act[]} acts */
export function viewOf(data, acts) {
  const laid = data.items.map((item) => ({ ...item, own: { ...item.own }, comparing: false, ruling: "" }));
  const at = new Map(laid.map((item) => [item.number, item]));
  let sending = "";
  for (const act of acts) {
    if (act.kind === "submit" || act.kind === "skip") sending = act.kind;
    else layAct(data, at.get(act.number), act);
  }
  const items = laid.map((item) => seenOf(data, item));
  const done = items.filter((item) => item.isDone).length;
  const links = linked(
    data.links,
    acts.filter(({ kind }) => kind === "counterpart"),
  );
  return { items, links, sending, done, isOpen: data.state === "open" && !data.halted && sending === "" };
}

function layAct(data, item, act) {
  if (item === undefined) return;
  if (act.kind === "label") layLabel(data, item, act);
  else if (act.kind === "compare") item.comparing = true;
  else if (RULINGS.includes(act.kind)) item.ruling = act.kind;
}

/** An item with values derived from its labels. */
const seenOf = (data, item) => ({
  ...item,
  missing: data.fields.map(({ key }) => key).filter((key) => item.own[key] === undefined),
  apart: apartOf(data, item),
  against: againstOf(data, item),
  isUnanswered: againstOf(data, item).length > 0 && !isRuled(item),
  isDone: item.is_compared || item.comparing || item.is_flagged || item.ruling === "flag",
});

function layLabel(data, item, act) {
  item.own = laidLabel(data, item.own, act);
}

/** Labels with one change as the store applies it: a presence without a match settles fields, another frees them.
 * @param {any} data @param {Record<string, string>} own @returns {Record<string, string>} */
export function laidLabel(data, own, { block, field, label }) {
  const key = `${block}.${field}`;
  const row = data.fields.find((each) => each.key === key);
  if (row === undefined) return own;
  const { [key]: before, ...rest } = own;
  const laid = label === null ? rest : { ...rest, [key]: label };
  for (const settled of row.settles) {
    if (settled.label === label) laid[settled.key] = settled.to;
    else if (settled.label === before && laid[settled.key] === settled.to) delete laid[settled.key];
  }
  return laid;
}

/** Fields in which the user's label differs from that of this judge.
 * @param {VerdictData} data @param {VerdictItemData} item @param {VerdictItemData["judges"][number]} judge */
export function apartFrom(data, item, judge) {
  const isEmpty = Object.keys(item.own).length === 0 || Object.keys(judge.labels).length === 0;
  if (isEmpty && !(judge.is_corrected && Object.keys(item.own).length > 0)) return [];
  return data.fields.map(({ key }) => key).filter((key) => item.own[key] !== judge.labels[key]);
}

/** Fields in which the user's label differs from that of any judge, in their order.
 * @param {VerdictData} data @param {VerdictItemData} item */
function apartOf(data, item) {
  const apart = new Set(item.judges.flatMap((judge) => apartFrom(data, item, judge)));
  return data.fields.map(({ key }) => key).filter((key) => apart.has(key));
}

/** Fields in which it differs from that of the corrected judge, on which the user rules.
 * @param {VerdictData} data @param {VerdictItemData} item */
function againstOf(data, item) {
  const judge = item.judges.find(({ is_corrected }) => is_corrected);
  return judge === undefined ? [] : apartFrom(data, item, judge);
}

/** True if the user ruled on the item, also in an act on its way.
 * @param {VerdictItemData & {ruling: string}} item */
const isRuled = ({ ruling, rulings }) =>
  ruling === "" ? rulings.some(({ is_mine }) => is_mine) : ruling !== "take_back";

/** The next field of an item without a label, after `key` and round the end; null if all have one. */
export function nextMissing(data, item, key) {
  const keys = data.fields.map((each) => each.key);
  const from = keys.indexOf(key);
  return [...keys.slice(from + 1), ...keys.slice(0, from + 1)].find((each) => item.missing.includes(each)) ?? null;
}

/** The text cut at the ends of marks: [{start, end, kinds, first}]; `first`: the start of its mark.
 * @param {string} text @param {{start: number, end: number, kind: string}[]} marks */
export function piecesOf(text, marks) {
  const visible = marks.filter(({ start, end }) => end > start);
  const cuts = [...new Set([0, text.length, ...visible.flatMap(({ start, end }) => [start, end])])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(0, -1).map((start, n) => {
    const covering = visible.filter((mark) => mark.start <= start && mark.end > start);
    return {
      start,
      end: cuts[n + 1],
      kinds: [...new Set(covering.map(({ kind }) => kind))],
      first: covering[0]?.start ?? -1,
    };
  });
}

/** The first item, from `from` on and round the end, with a mark that begins at `start`; -1 if none. */
export function itemAtMark(items, start, from) {
  const order = [...items.keys()].map((n) => (from + n) % items.length);
  return order.find((n) => items[n].marks.some((mark) => mark.start === start)) ?? -1;
}

const MOST_FOUND = 200;
/** Places of the searched text, regardless of case; none for less than two characters.
 * @param {string} text @param {string} wanted */
export function placesIn(text, wanted) {
  const lower = text.toLowerCase();
  const isEven = lower.length === text.length; // for a few letters the small one is longer
  const [there, said] = isEven ? [lower, wanted.trim().toLowerCase()] : [text, wanted.trim()];
  const places = [];
  if (said.length < 2) return places;
  for (let at = there.indexOf(said); at >= 0 && places.length < MOST_FOUND; at = there.indexOf(said, at + said.length))
    places.push({ start: at, end: at + said.length, kind: "searched" });
  return places;
}
