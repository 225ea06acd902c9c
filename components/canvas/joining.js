// Printed texts that form one name: their reading order, and the joined name. Pure.

import { cleanName } from "../desk/names.js";
import { centreOf, holds } from "./geometry.js";

/** @typedef {import("./types.d.ts").Box} Box */
/** @typedef {import("./types.d.ts").Place} Place */

/** Places in reading order: rows from top to bottom, each from left to right. A text is of a row if its middle lies in it.
 * @param {Place[]} places
 * @returns {Place[][]} */
function rowsOf(places) {
  const rows = [];
  for (const place of [...places].sort((a, b) => centreOf(a.box)[1] - centreOf(b.box)[1])) {
    const y = centreOf(place.box)[1];
    const row = rows.find(([{ box }]) => y >= box[1] && y <= box[3]);
    if (row) row.push(place);
    else rows.push([place]);
  }
  return rows.map((row) => row.sort((a, b) => a.box[0] - b.box[0]));
}

/** @param {Place[]} places @returns {Place[]} */
export const inOrder = (places) => rowsOf(places).flat();

const isLetter = (sign) => sign !== undefined && sign.toLowerCase() !== sign.toUpperCase();
const isSmall = (sign) => isLetter(sign) && sign === sign.toLowerCase();

/** The joined name; a hyphen at the end of a row is dropped if the next begins with a small letter.
 * @param {Place[]} places */
export function joinedName(places) {
  const rows = rowsOf(places).map((row) => row.map(({ name }) => name).join(" "));
  const name = rows.reduce((before, row) =>
    isLetter(before.at(-2)) && before.endsWith("-") && isSmall(row.at(0))
      ? before.slice(0, -1) + row
      : `${before} ${row}`,
  );
  return cleanName(name);
}

/** @param {Box[]} boxes @returns {Box} */
export const unionOf = (boxes) => [
  Math.min(...boxes.map(([x0]) => x0)),
  Math.min(...boxes.map(([, y0]) => y0)),
  Math.max(...boxes.map(([, , x1]) => x1)),
  Math.max(...boxes.map(([, , , y1]) => y1)),
];

/** Reason why `chosen` cannot be joined, "" if they can: a text between them would be covered.
 * @param {Place[]} chosen
 * @param {Place[]} all
 * @param {Iterable<{source: string, sink: string}>} edges */
export function whyApart(chosen, all, edges) {
  if (chosen.length < 2) return "Choose two texts or more: draw around them, or Shift click them.";
  const nodes = new Set(chosen.filter(({ kind }) => kind === "node").map(({ name }) => name));
  for (const { source, sink } of edges)
    if (source !== sink && nodes.has(source) && nodes.has(sink))
      return `An edge joins ${source} and ${sink}, so they are two nodes. Remove it first.`;
  const around = unionOf(chosen.map(({ box }) => box));
  const between = all.find((place) => !chosen.includes(place) && holds(around, ...centreOf(place.box)));
  return between ? `${between.name} is printed between them. Join it too.` : "";
}
