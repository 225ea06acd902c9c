// Rectangles on a page of 600 × 800 points.

import assert from "node:assert/strict";
import test from "node:test";

import {
  cornersOf,
  isTooSmall,
  middleOf,
  sameBox,
  shifted,
  spanned,
  spoken,
  stretched,
} from "../../../components/figure/rectangle.js";

const PAGE = { page_width: 600, page_height: 800 };

test("a rectangle is moved no further than the edge, and keeps its size", () => {
  assert.deepEqual(shifted([10, 10, 110, 60], 5, -3, PAGE), [15, 7, 115, 57]);
  assert.deepEqual(shifted([10, 10, 110, 60], -50, 900, PAGE), [0, 750, 100, 800]);
});

test("a rectangle is stretched no further than the edge and shrunk no smaller than is taken", () => {
  assert.deepEqual(stretched([10, 10, 110, 60], 900, 5, PAGE), [10, 10, 600, 65]);
  assert.deepEqual(stretched([10, 10, 110, 60], -200, -200, PAGE), [10, 10, 22, 22]);
});

test("a new rectangle stands in the middle of what is seen", () => {
  assert.deepEqual(middleOf([0, 0, 300, 600], PAGE), [100, 200, 200, 400]);
  assert.deepEqual(middleOf([0, 0, 15, 15], PAGE), [1.5, 1.5, 13.5, 13.5]);
});

test("two corners span a rectangle whichever way they were drawn", () => {
  assert.deepEqual(spanned([90, 20], [10, 70]), [10, 20, 90, 70]);
});

test("a held corner moves and the opposite one stays", () => {
  assert.deepEqual(cornersOf([10, 20, 90, 70], "ne"), [
    [90, 20],
    [10, 70],
  ]);
});

test("rectangles are the same but for rounding, and none is not the same as none", () => {
  assert.equal(sameBox([1, 2, 3, 4], [1.004, 2, 3, 4]), true);
  assert.equal(sameBox([1, 2, 3, 4], [1.2, 2, 3, 4]), false);
  assert.equal(sameBox(null, null), false);
  assert.equal(isTooSmall([0, 0, 11.9, 50]), true);
});

test("a chosen rectangle is told with its size and place", () => {
  assert.equal(
    spoken([10, 20, 90, 70], "Figure 2"),
    "Chosen: Figure 2, 80 by 50 points, 10 from the left, 20 from the top",
  );
});
