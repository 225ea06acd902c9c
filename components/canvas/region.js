// A region of the figure, drawn as a lasso or set as a rectangle by keys, and its contents. Pure.

import { alongLine, centreOf, clampTo } from "./geometry.js";

/** @typedef {import("./types.d.ts").Box} Box */
/** @typedef {import("./types.d.ts").Point} Point */
/** @typedef {import("./types.d.ts").Region} Region */

const SMALLEST = 3; // units of the figure

/** True if a point lies in the closed ring of points.
 * @type {(ring: Point[], point: Point) => boolean} */
export function isWithin(ring, [x, y]) {
  let inside = false;
  ring.forEach(([ax, ay], place) => {
    const [bx, by] = ring[(place + ring.length - 1) % ring.length];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  });
  return inside;
}

/** @type {(box: Box) => Point[]} */
export const ringOf = ([x0, y0, x1, y1]) => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];

/** A rectangle in the middle of the visible part, half as large.
 * @type {(seen: Box) => Region} */
export function middleOf([x0, y0, x1, y1]) {
  const [dx, dy] = [(x1 - x0) / 4, (y1 - y0) / 4];
  /** @type {Box} */
  const box = [x0 + dx, y0 + dy, x1 - dx, y1 - dy];
  return { ring: ringOf(box), box };
}

/** The rectangle moved or, with `stretches`, its lower right corner, inside `area`. A lasso becomes the rectangle around it.
 * @type {(region: Region, step: Point, stretches: boolean, area: Box, unit: number) => Region} */
export function stepped({ ring, box: before }, [dx, dy], stretches, [left, top, right, bottom], unit) {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  const [x0, y0, x1, y1] = before ?? [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const least = SMALLEST * unit;
  const [x, y] = stretches
    ? [x0, y0]
    : [clampTo(x0 + dx, left, right - (x1 - x0)), clampTo(y0 + dy, top, bottom - (y1 - y0))];
  const [width, height] = stretches
    ? [clampTo(x1 - x0 + dx, least, right - x0), clampTo(y1 - y0 + dy, least, bottom - y0)]
    : [x1 - x0, y1 - y0];
  /** @type {Box} */
  const box = [x, y, x + width, y + height];
  return { ring: ringOf(box), box };
}

/** Contents of a region: proposals with both ends and the middle of their path, and names with the middle of their box.
 * @param {Region} region
 * @param {import("./types.d.ts").Scene} scene
 * @returns {{proposals: string[], places: import("./types.d.ts").Place[]}} */
export function contentsOf({ ring }, { lines, places }) {
  const isIn = ({ points }) =>
    [0, 0.5, 1].every((share) => {
      const { x, y } = alongLine(points, share);
      return isWithin(ring, [x, y]);
    });
  return {
    proposals: lines.filter((line) => line.kind === "proposal" && !line.isStub && isIn(line)).map(({ key }) => key),
    places: places.filter(({ box }) => isWithin(ring, /** @type {Point} */ (centreOf(box)))),
  };
}
