import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { createRedraw } from "../../../../components/desk/posting/redraw.js";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_700_000_000_000 }));
afterEach(() => mock.timers.reset());

/** How often the page is drawn while answers come this far apart, and after. */
function drawnBy(count, apartMs) {
  let drawn = 0;
  const redraw = createRedraw(() => void (drawn += 1));
  for (let one = 0; one < count; one += 1) {
    redraw.soon();
    mock.timers.tick(apartMs);
  }
  mock.timers.tick(5000);
  return drawn;
}

test("twenty answers within five seconds draw the page four times at most, and the last is drawn", () => {
  for (const apart of [10, 100, 250, 299]) {
    const drawn = drawnBy(20, apart);
    assert.ok(drawn >= 1 && drawn <= 4, `${drawn} at ${apart} ms`);
  }
});

test("an answer alone is drawn after a short quiet, and a second one not within two seconds", () => {
  let drawn = 0;
  const redraw = createRedraw(() => void (drawn += 1));
  redraw.soon();
  mock.timers.tick(299);
  assert.equal(drawn, 0);
  mock.timers.tick(1);
  assert.equal(drawn, 1);
  redraw.soon();
  mock.timers.tick(1999);
  assert.equal(drawn, 1);
  mock.timers.tick(1);
  assert.equal(drawn, 2);
  redraw.now();
  assert.equal(drawn, 3);
});
