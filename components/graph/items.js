// Drawn items by number and by Edgewise's id, and the opacity of each.

/** @typedef {import("./types.d.ts").Figure} Figure */

/** A number for each id that stays the same while the figure lives (a name such as __proto__ is no key).
 * @param {Pick<Figure, "ids" | "nextId">} figure
 * @param {string} name */
export function numberOf(figure, name) {
  if (!figure.ids.has(name)) figure.ids.set(name, figure.nextId++);
  return /** @type {number} */ (figure.ids.get(name));
}

/** The fact of an item that is drawn.
 * @param {Figure} figure
 * @param {number} number */
export const factOf = (figure, number) => /** @type {import("./types.d.ts").Fact} */ (figure.facts.get(number));

/** The number of a drawn node, or undefined.
 * @param {Figure} figure
 * @param {string} ref */
export function nodeNumber(figure, ref) {
  const number = figure.ids.get(`node ${ref}`);
  return figure.facts.has(number) ? number : undefined;
}

/** @param {Figure} figure
 * @param {string[]} refs */
export function numbersOf(figure, refs) {
  const ids = new Set(refs);
  return [...figure.facts].filter(([, fact]) => ids.has(fact.id)).map(([number]) => number);
}

/** A dimmed name keeps a contrast of 4.5 to the paper in both themes. */
const DIM_NODE = 0.62;

/** @param {Figure} figure
 * @param {number} number */
export function strengthOf(figure, number) {
  if (figure.full === null || figure.full.has(number)) return 1;
  return figure.facts.get(number)?.node ? DIM_NODE : figure.palette.dim;
}

/** Forget where marks were: something moved or changed.
 * @param {Figure} figure */
export function clearSpots(figure) {
  figure.spots.clear();
  figure.loopSpots.clear();
}
