// An arrow on a figure: its course with an open head at the tip.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arrowOf } from "../../../components/figure/marks.js";

test("a course is drawn from tail to tip, and its head opens backwards", () => {
  const d = arrowOf([
    [0, 0],
    [50, 0],
    [100, 0],
  ]);
  assert.ok(d.startsWith("M0.0 0.0L50.0 0.0L100.0 0.0M"));
  const [left, tip, right] = d
    .split("M")[2]
    .split("L")
    .map((point) => point.split(" ").map(Number));
  assert.deepEqual(tip, [100, 0]);
  assert.ok(left[0] < 100 && right[0] < 100 && left[1] === -right[1]);
});

test("without a course there is no arrow", () => {
  assert.equal(arrowOf([]), "");
  assert.equal(arrowOf([[1, 1]]), "");
});
