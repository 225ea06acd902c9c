// Places in a text: Python counts characters of Unicode, a browser UTF-16 units. Pure.

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;

/** Convert Python's places to the browser's: {at(place)}.
 * @param {string} text
 * @returns {{at(place: number): number}} */
export function placesOf(text) {
  if (!PAIR.test(text)) return { at: (place) => place };
  /** @type {number[]} */
  const starts = [];
  for (let unit = 0; unit < text.length; unit += Number(text.codePointAt(unit)) > 0xffff ? 2 : 1) starts.push(unit);
  return { at: (place) => starts[place] ?? text.length };
}

/** Convert a place of the browser to Python's.
 * @param {string} text
 * @param {number} unit */
export const countedTo = (text, unit) => (PAIR.test(text) ? [...text.slice(0, unit)].length : unit);
