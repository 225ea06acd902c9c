// Names at the ends of a line, each next to its box where it covers least: never an end, and printed text only where
// nothing else is free. Pure. Boxes are in points of the page.

import { alongLine, grown, holds } from "./geometry.js";

/** @typedef {import("./types.d.ts").Box} Box */
/** @typedef {{key: string, text: string, box: Box, isAbove: boolean, away: number}} EndName A name of the end in `box`:
 * the line leaves the box on the other side than above (`isAbove`) and to the other side than `away`, -1 left or 1 right. */

const [LETTER, LINE] = [0.56, 1.3]; // of the size of the bold letters of .cv-chip-end
const [PADDING, GAP] = [22, 5]; // pixels
const SAMPLES = 24; // points along the line
const WORST = 1000; // weight of an end or another name, then of the line, of what is outside, and of printed text
const WEIGHTS = { end: WORST, line: 20, outside: 2, printed: 1 };

/** Size in pixels of a name that is broken at `widest`.
 * @type {(text: string, font: number, widest: number) => [number, number]} */
function sizeOf(text, font, widest) {
  const length = text.length * LETTER * font;
  const lines = Math.ceil(length / (widest - PADDING));
  return [Math.min(length + PADDING, widest), lines * LINE * font + 8];
}

/** Share of `box` that `other` covers. @type {(box: Box, other: Box) => number} */
function covered([x0, y0, x1, y1], [a0, b0, a1, b1]) {
  const [width, height] = [Math.min(x1, a1) - Math.max(x0, a0), Math.min(y1, b1) - Math.max(y0, b0)];
  return width > 0 && height > 0 ? (width * height) / ((x1 - x0) * (y1 - y0)) : 0;
}

/** Directions from a box to its name, the best first: away from the line, then at its sides.
 * @type {(end: EndName) => number[][]} */
function directionsOf({ isAbove, away }) {
  const y = isAbove ? -1 : 1;
  return [[0, y], [away, y], [away, 0], [-away, y], [-away, 0], [0, -y], [away, -y], [-away, -y]]; // prettier-ignore
}

/** The place of each name: {left, top, translate}, in percent so that it follows the zoom, and its `covers` in points.
 * @param {EndName[]} ends
 * @param {{printed: Box[], points: import("./types.d.ts").Point[], figure: {origin: number[], width: number, height: number}, scale: number, font: number, widest: number}} about
 *   `points` of the line; `scale`, pixels per point; `font` and `widest`, pixels. */
export function placeEndNames(ends, { printed, points, figure, scale, font, widest }) {
  const [left, top] = figure.origin;
  /** @type {(value: number, origin: number, length: number) => string} */
  const percent = (value, origin, length) => `${(((value - origin) / length) * 100).toFixed(3)}%`;
  const line = Array.from({ length: SAMPLES + 1 }, (_, at) => alongLine(points, at / SAMPLES));
  const occupied = ends.map(({ box }) => box);
  return ends.map((end) => {
    const [x0, y0, x1, y1] = end.box;
    const [width, height] = sizeOf(end.text, font, widest).map((length) => length / scale);
    const gap = GAP / scale;
    const costOf = (/** @type {Box} */ covers) => {
      const inside = covered(covers, [left, top, left + figure.width, top + figure.height]);
      const sum = (/** @type {Box[]} */ boxes) => boxes.reduce((total, box) => total + covered(covers, box), 0);
      const isOnLine = line.some(({ x, y }) => holds(grown(covers, gap / 2), x, y));
      return (
        WEIGHTS.end * sum(occupied) +
        WEIGHTS.line * Number(isOnLine) +
        WEIGHTS.outside * (1 - inside) +
        WEIGHTS.printed * sum(printed)
      );
    };
    const places = directionsOf(end).map(([across, down]) => {
      const [x, y] = [x0 + ((x1 - x0) * (across + 1)) / 2, y0 + ((y1 - y0) * (down + 1)) / 2];
      const [before, above] = [
        x + across * gap + ((across - 1) / 2) * width,
        y + down * gap + ((down - 1) / 2) * height,
      ];
      const shift = (/** @type {number} */ side) => `calc(${((side - 1) / 2) * 100}% + ${side * GAP}px)`;
      return {
        left: percent(x, left, figure.width),
        top: percent(y, top, figure.height),
        translate: `${shift(across)} ${shift(down)}`,
        covers: /** @type {Box} */ ([before, above, before + width, above + height]),
      };
    });
    const costs = places.map(({ covers }) => costOf(covers));
    const place = places[costs.indexOf(Math.min(...costs))];
    occupied.push(place.covers);
    return place;
  });
}
