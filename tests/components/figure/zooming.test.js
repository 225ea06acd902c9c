// The arithmetic of a picture in a window: a frame 200 × 100 points in a room 420 × 320 pixels, ten of them padding.

import assert from "node:assert/strict";
import test from "node:test";

import {
  clamped,
  fitScale,
  fitted,
  framing,
  seenOf,
  shiftTo,
  zoomedAbout,
} from "../../../components/figure/zooming.js";

const FRAME = {
  width: 200,
  height: 100,
  origin: [50, 30],
  room: { width: 420, height: 320 },
  padding: 10,
  min: 1,
  max: 12,
};
const FIT = { scale: 2, x: 10, y: 60 }; // 400 / 200 across, 300 / 100 down: the smaller; then in the middle

test("a picture is fitted by its tighter side, and stands in the middle", () => {
  assert.equal(fitScale(FRAME), 2);
  assert.deepEqual(fitted(FRAME), FIT);
});

test("a picture cannot be made smaller than fitted nor moved off its place", () => {
  assert.deepEqual(clamped(FRAME, { scale: 0.5, x: 300, y: -90 }), FIT);
  // Twice the fit, 800 × 400 pixels: its left edge comes as far as 10, its upper edge as far as 60.
  assert.deepEqual(clamped(FRAME, { scale: 4, x: 500, y: 500 }), { scale: 4, x: 10, y: 60 });
  assert.deepEqual(clamped(FRAME, { scale: 4, x: -900, y: -900 }), { scale: 4, x: -390, y: -140 });
});

test("zooming keeps the point under the pointer, up to the largest scale", () => {
  const near = zoomedAbout(FRAME, FIT, 2, 110, 160);
  assert.deepEqual(near, { scale: 4, x: -90, y: -40 });
  assert.equal((110 - near.x) / near.scale, (110 - FIT.x) / FIT.scale);
  assert.equal(zoomedAbout(FRAME, FIT, 100, 0, 0).scale, 24);
});

test("a box is brought in with the least movement, and one that is seen moves nothing", () => {
  const view = { scale: 4, x: -90, y: -40 };
  assert.deepEqual(shiftTo(FRAME, view, [90, 50, 100, 60]), [0, 0]); // at 70 to 110 across, 40 to 80 down
  assert.deepEqual(shiftTo(FRAME, view, [50, 50, 60, 60]), [100, 0]); // begins at -90, is to begin at 10
  assert.deepEqual(shiftTo(FRAME, view, [240, 50, 250, 60]), [-300, 0]); // ends at 710, is to end at 410
});

test("a box is framed in the middle of the window, within the allowed enlargement", () => {
  const view = framing(FRAME, [100, 60, 140, 80], 10, 4);
  assert.equal(view.scale, 8); // 400 / 40 would be ten, four times the fit are eight
  assert.deepEqual([view.x + 70 * view.scale, view.y + 40 * view.scale], [210, 160]);
});

test("what is seen is cut to the page", () => {
  assert.deepEqual(seenOf(FRAME, FIT), [50, 30, 250, 130]);
  assert.deepEqual(seenOf(FRAME, { scale: 4, x: -90, y: -40 }), [72.5, 40, 177.5, 120]);
});
