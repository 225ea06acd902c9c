import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

const STEP_MS = 100;
let pages = 0;

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_700_000_000_000 });
  mock.method(performance, "now", () => Date.now());
  const given = { document: Object.assign(new EventTarget(), { hidden: false }), window: new EventTarget() };
  for (const [name, value] of Object.entries(given)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

/** A page with the clock on it, and what its server has counted, which leaves the first `deaf` reports unanswered. */
async function begun({ deaf = 0 } = {}) {
  pages += 1;
  const { default: activity } = await import(`../../../components/activity/activity.js?${pages}`);
  const reports = [];
  const kept = new Map();
  const parentElement = { isConnected: true };
  const show = (subject) => {
    const setStateValue = (_name, report) => {
      reports.push(report);
      if (reports.length > deaf) kept.set(report.id, report);
      show(subject);
    };
    activity({ parentElement, data: { subject, answered: [...kept.keys()], idle_s: 2, report_s: 0.5 }, setStateValue });
  };
  const counted = (subject) => {
    const own = [...kept.values()].filter((report) => report.subject === subject);
    return Math.round(1000 * own.reduce((sum, { seconds }) => sum + seconds, 0)) / 1000;
  };
  return { show, reports, counted };
}

const input = (kind) => globalThis.document.dispatchEvent(new Event(kind));

/** Inputs a tenth of a second apart: `steps` such spans. */
function move(steps, kind = "pointermove") {
  input(kind);
  for (let step = 0; step < steps; step += 1) {
    mock.timers.tick(STEP_MS);
    input(kind);
  }
}

test("time counts while there is input, and a pause counts nothing", async () => {
  const { show, counted } = await begun();
  show("task");
  move(15);
  mock.timers.tick(3_000);
  assert.equal(counted("task"), 1.5);
  mock.timers.tick(3_000); // idle: not a second more
  assert.equal(counted("task"), 1.5);
  move(10); // and the pause before it, longer than the cut-off, is in neither count
  mock.timers.tick(1_000);
  assert.equal(counted("task"), 2.5);
});

test("keys, the wheel and fingers are activity too", async () => {
  const { show, counted } = await begun();
  show("task");
  const kinds = ["pointerdown", "keydown", "wheel", "touchstart", "touchmove"];
  for (const kind of kinds) {
    move(8, kind);
    mock.timers.tick(5_000);
  }
  assert.equal(counted("task"), 0.8 * kinds.length);
});

test("hiding the tab reports at once, and counts nothing from then on", async () => {
  const { show, counted } = await begun();
  show("task");
  const hide = (hidden) => {
    globalThis.document.hidden = hidden;
    input("visibilitychange");
  };
  move(6);
  hide(true);
  assert.equal(counted("task"), 0.6);
  hide(false);
  mock.timers.tick(300);
  input("pointermove"); // soon enough for the cut-off, but the tab was hidden
  mock.timers.tick(1_500);
  assert.equal(counted("task"), 0.6);
});

test("another task is another count", async () => {
  const { show, counted } = await begun();
  show("first");
  move(8);
  mock.timers.tick(1_000);
  show("second");
  mock.timers.tick(500); // what is between belongs to neither
  move(5);
  mock.timers.tick(1_000);
  assert.equal(counted("first"), 0.8);
  assert.equal(counted("second"), 0.5);
});

test("a report without an answer comes again, and counts once", async () => {
  const { show, reports, counted } = await begun({ deaf: 3 });
  show("task");
  move(10);
  mock.timers.tick(4_000);
  assert.equal(counted("task"), 1);
  assert.ok(reports.length > 4);
  assert.equal(new Set(reports.slice(0, 4).map(({ id, seconds }) => `${id} ${seconds}`)).size, 1);
  assert.equal(new Set(reports.map(({ attempt, id }) => `${attempt} ${id}`)).size, reports.length);
});
