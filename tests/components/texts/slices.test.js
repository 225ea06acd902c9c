import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { inSlices } from "../../../components/texts/slices.js";

/** What was done by an `inSlices` of `count` under a clock of the test: {done, slices} */
function begun(t, count) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  /** @type {number[]} */
  const done = [];
  return { done, slices: inSlices(count, (n) => done.push(n)) };
}

test("nothing is done at once, and all of it in order by and by", (t) => {
  const { done } = begun(t, 5);
  assert.deepEqual(done, []);
  for (let n = 0; n < 20; n += 1) t.mock.timers.tick(10);
  assert.deepEqual(done, [0, 1, 2, 3, 4]);
});

test("what is needed is done at once, and once; what is out of range is nothing", (t) => {
  const { done, slices } = begun(t, 5);
  slices.needAll(3, 9);
  slices.need(-1);
  slices.need(3);
  assert.deepEqual(done, [3, 4]);
  for (let n = 0; n < 20; n += 1) t.mock.timers.tick(10);
  assert.deepEqual(done, [3, 4, 0, 1, 2]);
});

test("a slice ends after some milliseconds, so that a key is heard before the next", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  const clock = mock.method(performance, "now", () => now);
  let done = 0;
  inSlices(10, () => {
    done += 1;
    now += 2;
  });
  t.mock.timers.tick(10);
  assert.equal(done, 3);
  t.mock.timers.tick(10);
  assert.equal(done, 6);
  clock.mock.restore();
});

test("once stopped nothing more is done by itself", (t) => {
  const { done, slices } = begun(t, 5);
  slices.needAll(0, 1);
  slices.stop();
  for (let n = 0; n < 20; n += 1) t.mock.timers.tick(10);
  assert.deepEqual(done, [0, 1]);
});
