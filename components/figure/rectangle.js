// Arithmetic of a rectangle on a page, and its description. Pure. A box is [x0, y0, x1, y1], in points of the page.

import { clampTo } from "./zooming.js";

/** @typedef {import("./shapes.d.ts").Box} Box */
/** @typedef {import("./types.d.ts").Page} Page */

export const SMALLEST = 12; // points; components/figure/region_picker.py refuses less as well

/** @type {(box: Box, dx: number, dy: number, page: Page) => Box} */
export function shifted([x0, y0, x1, y1], dx, dy, { page_width: width, page_height: height }) {
  const x = clampTo(x0 + dx, 0, width - (x1 - x0));
  const y = clampTo(y0 + dy, 0, height - (y1 - y0));
  return [x, y, x + (x1 - x0), y + (y1 - y0)];
}

/** Move its lower right corner, not below the smallest size and not beyond the page.
 * @type {(box: Box, dx: number, dy: number, page: Page) => Box} */
export function stretched([x0, y0, x1, y1], dx, dy, { page_width: width, page_height: height }) {
  /** @type {(value: number, start: number, most: number) => number} */
  const end = (value, start, most) => Math.max(Math.min(value, most), Math.min(start + SMALLEST, most));
  return [x0, y0, end(x1 + dx, x0, width), end(y1 + dy, y0, height)];
}

/** A box in the middle of the visible part of the page, a third as large.
 * @type {(seen: Box, page: Page) => Box} */
export function middleOf([x0, y0, x1, y1], page) {
  const [width, height] = [Math.max((x1 - x0) / 3, SMALLEST), Math.max((y1 - y0) / 3, SMALLEST)];
  const [left, top] = [(x0 + x1 - width) / 2, (y0 + y1 - height) / 2];
  return shifted([left, top, left + width, top + height], 0, 0, page);
}

/** The box between two corners, drawn in any direction.
 * @type {(from: number[], to: number[]) => Box} */
export const spanned = ([ax, ay], [x, y]) => [Math.min(ax, x), Math.min(ay, y), Math.max(ax, x), Math.max(ay, y)];

/** The corner that a press moves, and the opposite one, which is fixed.
 * @type {(box: Box, corner: string) => number[][]} */
export function cornersOf([x0, y0, x1, y1], corner) {
  const [isLeft, isTop] = [corner.includes("w"), corner.includes("n")];
  return [
    [isLeft ? x0 : x1, isTop ? y0 : y1],
    [isLeft ? x1 : x0, isTop ? y1 : y0],
  ];
}

/** @type {(a: Box | null, b: Box | null) => boolean} */
export const sameBox = (a, b) =>
  a !== null && b !== null && a.every((value, index) => Math.abs(value - b[index]) < 0.01);
/** @param {Box} box */
export const isTooSmall = ([x0, y0, x1, y1]) => x1 - x0 < SMALLEST || y1 - y0 < SMALLEST;
/** @param {Box} box */
export const measure = ([x0, y0, x1, y1]) => `${Math.round(x1 - x0)} × ${Math.round(y1 - y0)}`;
/** @param {Box} box */
export const spokenSize = ([x0, y0, x1, y1]) => `${Math.round(x1 - x0)} by ${Math.round(y1 - y0)} points`;
/** @param {Box} box @param {string} [label] */
export const spoken = (box, label) =>
  `Chosen: ${label || "rectangle"}, ${spokenSize(box)}, ${Math.round(box[0])} from the left, ${Math.round(box[1])} from the top`;
